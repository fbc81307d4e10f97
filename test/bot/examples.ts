/** Events and rows as the wiki's feeds tell them, made up, for tests that need any. */

/** Some hours ago, seconds: every feed still keeps it. */
export const EARLIER = Math.floor(Date.now() / 1000) - 6 * 3600;

/** As the API writes it, so many minutes after that. */
export function isoTime(minutes: number): string {
  return new Date((EARLIER + minutes * 60) * 1000).toISOString().replace('.000Z', 'Z');
}

/** Of $wgRCFeeds and, less `meta`, of EventStreams. */
export function feedEdit(revision: number, fields: object = {}) {
  return {
    id: 9000 + revision,
    type: 'edit',
    namespace: 0,
    title: 'Orrin Bay',
    comment: '',
    timestamp: EARLIER + (revision % 3600),
    user: 'Someone',
    bot: false,
    minor: false,
    length: { old: 10, new: 20 },
    revision: { old: revision - 1, new: revision },
    server_name: 'wiki.example',
    wiki: 'wikiexample',
    ...fields,
  };
}

export function feedDeletion(logId: number, fields: object = {}) {
  const { length: _length, revision: _revision, minor: _minor, ...rest } = feedEdit(logId);
  return { ...rest, type: 'log', log_id: logId, log_type: 'delete', log_action: 'delete', ...fields };
}

/** As EventStreams sends it. */
export function streamed(event: { timestamp: number }, domain = 'wiki.example') {
  return { ...event, meta: { domain, dt: new Date(event.timestamp * 1000).toISOString() } };
}

/** A row of list=recentchanges, formatversion 2. */
export function apiEdit(revision: number, fields: object = {}) {
  return {
    type: 'edit',
    ns: 0,
    title: 'Orrin Bay',
    pageid: 7,
    revid: revision,
    old_revid: revision - 1,
    rcid: 9000 + revision,
    bot: false,
    new: false,
    minor: false,
    redirect: false,
    tags: [],
    timestamp: isoTime(0),
    ...fields,
  };
}

export function apiDeletion(logId: number) {
  const { redirect: _redirect, tags: _tags, ...rest } = apiEdit(1, { type: 'log', revid: 0, old_revid: 0 });
  return { ...rest, logid: logId, logtype: 'delete', logaction: 'delete', logparams: {} };
}
