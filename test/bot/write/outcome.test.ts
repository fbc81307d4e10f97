import { meaningOf } from '../../../bot/write/outcome.ts';

describe('what the API’s codes mean', () => {
  test.each([
    ['protectedpage', 'protected'],
    ['cascadeprotected', 'protected'],
    ['protectednamespace', 'protected'],
    ['blocked', 'blocked'],
    ['autoblocked', 'blocked'],
    ['systemblocked', 'blocked'],
    ['permissiondenied', 'not_allowed'],
    ['writeapidenied', 'not_allowed'],
    ['titleblacklist-forbidden-edit', 'not_allowed'],
    ['abusefilter-warning', 'abuse_filter'],
    ['contenttoobig', 'too_large'],
    ['something-new', 'refused'],
  ])('%s: %s, for good', (code, meaning) => {
    expect(meaningOf(code)).toEqual({ code: meaning });
  });

  test.each([
    ['editconflict', 'at_once'],
    ['maxlag', 'later'],
    ['ratelimited', 'later'],
    ['readonly', 'later'],
    ['badtoken', 'with_new_token'],
    ['assertnameduserfailed', 'signed_in_anew'],
    ['assertbotfailed', 'signed_in_anew'],
    ['spamblacklist', 'without_links'],
    ['abusefilter-blocked-domains-attempted', 'without_links'],
  ])('%s: again, %s', (code, again) => {
    expect(meaningOf(code).again).toBe(again);
  });
});
