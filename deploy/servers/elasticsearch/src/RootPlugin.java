package sidelight;

import static org.elasticsearch.rest.RestRequest.Method.GET;
import static org.elasticsearch.rest.RestRequest.Method.HEAD;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.elasticsearch.Build;
import org.elasticsearch.action.admin.cluster.state.ClusterStateRequest;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.core.TimeValue;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.IndexVersion;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.*;
import org.elasticsearch.rest.action.RestActionListener;
import org.elasticsearch.xcontent.XContentBuilder;

/** GET / and HEAD /, whose module (rest-root) is no Maven artifact: the same answers. */
public class RootPlugin extends Plugin implements ActionPlugin {
    @Override
    public Collection<RestHandler> getRestHandlers(Settings settings, NamedWriteableRegistry nwr, RestController rc, ClusterSettings cs,
        IndexScopedSettings iss, SettingsFilter sf, IndexNameExpressionResolver r, Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> f) {
        return List.of(new Root());
    }

    private static final class Root extends BaseRestHandler {
        @Override public String getName() { return "local_root"; }
        @Override public List<Route> routes() { return List.of(new Route(GET, "/"), new Route(HEAD, "/")); }

        @Override
        protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
            boolean head = request.method() == HEAD;
            request.param("pretty"); // consumed by the channel
            return channel -> {
                ClusterStateRequest csr = new ClusterStateRequest(TimeValue.timeValueSeconds(30)).clear().metadata(true).nodes(true).local(true);
                client.admin().cluster().state(csr, new RestActionListener<>(channel) {
                    @Override
                    protected void processResponse(org.elasticsearch.action.admin.cluster.state.ClusterStateResponse resp) throws Exception {
                        if (head) {
                            channel.sendResponse(new RestResponse(RestStatus.OK, RestResponse.TEXT_CONTENT_TYPE, ""));
                            return;
                        }
                        Build b = Build.current();
                        XContentBuilder x = channel.newBuilder().prettyPrint().startObject()
                            .field("name", resp.getState().nodes().getLocalNode().getName())
                            .field("cluster_name", resp.getClusterName().value())
                            .field("cluster_uuid", resp.getState().metadata().clusterUUID())
                            .startObject("version")
                            .field("number", b.qualifiedVersion()).field("build_flavor", b.flavor()).field("build_type", b.type().displayName())
                            .field("build_hash", b.hash()).field("build_date", b.date()).field("build_snapshot", b.isSnapshot())
                            .field("lucene_version", IndexVersion.current().luceneVersion().toString())
                            .field("minimum_wire_compatibility_version", b.minWireCompatVersion())
                            .field("minimum_index_compatibility_version", b.minIndexCompatVersion())
                            .endObject().field("tagline", "You Know, for Search").endObject();
                        channel.sendResponse(new RestResponse(RestStatus.OK, x));
                    }
                });
            };
        }
    }
}
