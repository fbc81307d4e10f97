package sidelight;

import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractIndexAnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/** Elasticsearch's language analyzers, whose module (analysis-common) is no Maven artifact: the same classes of Lucene. */
public class LanguagesPlugin extends Plugin implements AnalysisPlugin {
    private static final String[] ANALYZERS = (
        "arabic:ar.Arabic bulgarian:bg.Bulgarian bengali:bn.Bengali catalan:ca.Catalan czech:cz.Czech danish:da.Danish "
            + "german:de.German greek:el.Greek english:en.English spanish:es.Spanish estonian:et.Estonian basque:eu.Basque "
            + "persian:fa.Persian finnish:fi.Finnish french:fr.French irish:ga.Irish galician:gl.Galician hindi:hi.Hindi "
            + "hungarian:hu.Hungarian armenian:hy.Armenian indonesian:id.Indonesian italian:it.Italian lithuanian:lt.Lithuanian "
            + "latvian:lv.Latvian dutch:nl.Dutch norwegian:no.Norwegian portuguese:pt.Portuguese romanian:ro.Romanian "
            + "russian:ru.Russian serbian:sr.Serbian sorani:ckb.Sorani swedish:sv.Swedish turkish:tr.Turkish cjk:cjk.CJK").split(" ");

    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
        Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers = new TreeMap<>();
        for (String entry : ANALYZERS) {
            String[] parts = entry.split(":");
            String className = "org.apache.lucene.analysis." + parts[1] + "Analyzer";
            // one for each index, which closes it
            analyzers.put(parts[0], (index, environment, name, settings) -> provide(name, settings, create(className)));
        }
        return analyzers;
    }

    private static Analyzer create(String className) {
        try {
            return (Analyzer) Class.forName(className, true, Analyzer.class.getClassLoader()).getConstructor().newInstance();
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static AnalyzerProvider<Analyzer> provide(String name, Settings settings, Analyzer analyzer) {
        return new AbstractIndexAnalyzerProvider<>(name, settings) {
            @Override
            public Analyzer get() {
                return analyzer;
            }
        };
    }
}
