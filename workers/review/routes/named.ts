/** Routes with a name for Fastify. In: a plugin. Out: the same one. */

/**
 * Fastify looks for the name of a plugin that says none through all modules that are loaded
 * (https://github.com/fastify/fastify/blob/main/lib/plugin-utils.js), which takes longer than all else when a server starts.
 */
export function named<Plugin extends object>(plugin: Plugin): Plugin {
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: 'routes' });
}
