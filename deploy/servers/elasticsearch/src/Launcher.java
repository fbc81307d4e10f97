package sidelight;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** Launcher HOME CONFIG NAME=VALUE…: one Elasticsearch node from HOME/{modules,plugins}, until it is sent SIGTERM. */
public final class Launcher {
    public static void main(String[] args) {
        try {
            run(args);
        } catch (Throwable failed) { // e.g. a port that is taken: Elasticsearch's threads would keep the process alive
            failed.printStackTrace();
            System.err.println(failed.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath();
        Path config = Files.createDirectories(Path.of(args[1]).toAbsolutePath());
        Settings.Builder builder = Settings.builder().put("path.home", home.toString());
        for (int at = 2; at < args.length; at++) {
            int equals = args[at].indexOf('=');
            builder.put(args[at].substring(0, equals), args[at].substring(equals + 1));
        }
        Settings settings = builder.build();
        String name = settings.get("node.name");
        LogConfigurator.setNodeName(name);
        LogConfigurator.configureWithoutConfig(settings);
        LogConfigurator.configureESLogging();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> name);
        PluginsLoader loader = PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(home.resolve("modules")),
            PluginsLoader.loadPluginsBundles(home.resolve("plugins")),
            Map.of(),
            false // the server is on the class path, not a named module
        );
        runUntilStopped(new Node(environment, loader));
    }

    private static void runUntilStopped(Node node) throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.prepareForClose();
                node.close();
            } catch (Exception failed) {
                failed.printStackTrace();
            }
            stopped.countDown();
        }));
        node.start();
        stopped.await();
    }
}
