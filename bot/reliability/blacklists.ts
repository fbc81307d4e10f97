/** Blacklists of MediaWiki's extensions → what they block or allow. In: the text of their pages. Out: patterns and entries. */
import { z } from 'zod';
import type { ListPattern } from '../../shared/reliability.ts';
import type { Parsed } from './parsed.ts';
import { toJavaScript } from './pcre.ts';
import { parseSite } from './site.ts';

type Effect = ListPattern['effect'];

/** MediaWiki:Spam-blacklist and -whitelist (https://www.mediawiki.org/wiki/Extension:SpamBlacklist#Blacklist_syntax). */
export function parseSpamLines(text: string, effect: Effect): Parsed {
  const lines = text.split('\n').map((line) => line.replace(/#.*$/, '').trim());
  return toPatterns(
    lines.filter((line) => line !== ''),
    { about: 'url', effect },
  );
}

/**
 * MediaWiki:Titleblacklist and -whitelist (https://www.mediawiki.org/wiki/Extension:TitleBlacklist). They are about titles of
 * pages, and no source becomes a page; but editors also put there the names of sites that are advertised by pages. Only lines that
 * name one count, and no line that would block sites at large ("no title may look like an address").
 */
export function parseTitleLines(text: string, effect: Effect): Parsed {
  const lines = text.split('\n').map((line) => LINE.exec(line.replace(/#.*$/, '').trim()));
  const expressions = lines.flatMap((match) => (match === null || ONLY.test(match[2] ?? '') ? [] : [match[1] ?? '']));
  const named = expressions.map((line) => line.trim().replaceAll('_', ' ')).filter((line) => NAMES_A_SITE.test(line));
  const { patterns, ...others } = toPatterns(named, { about: 'host', effect });
  return { ...others, patterns: patterns.filter(({ pattern }) => !isAtLarge(pattern)) };
}

/** An expression, and attributes in pointed brackets. */
const LINE = /^(.*?)(?:\s*<([^<>]*)>)?$/;
/** About accounts, moves and uploads. */
const ONLY = /\b(newaccountonly|moveonly|reupload)\b/i;
const NAMES_A_SITE = /\\\.[a-z]{2,}/i;

function isAtLarge(pattern: string): boolean {
  const whole = new RegExp(`^(?:${pattern})$`, 'is');
  return AT_LARGE.some((host) => whole.test(host));
}

const AT_LARGE = ['com', 'org', 'net', 'info', 'co.uk', 'de', 'io'].flatMap((end) => [`qzx.${end}`, `www.qzx.${end}`]);

/** MediaWiki:BlockedExternalDomains.json (https://www.mediawiki.org/wiki/Manual:BlockedExternalDomains). */
export function parseBlockedDomains(text: string): Parsed {
  const blocked = BlockedDomains.safeParse(parseJson(text));
  if (!blocked.success) return { entries: [], patterns: [], skipped: ['the page is not a list of domains'] };
  const sites = blocked.data.map(({ domain }) => ({ domain, site: parseSite(domain) }));
  return {
    entries: sites.flatMap(({ site }) =>
      site === null ? [] : [{ ...site, status: 'blacklisted' as const, userGenerated: false }],
    ),
    patterns: [],
    skipped: sites.filter(({ site }) => site === null).map(({ domain }) => domain),
  };
}

const BlockedDomains = z.array(z.object({ domain: z.string() }));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toPatterns(lines: readonly string[], what: Omit<ListPattern, 'pattern'>): Parsed {
  const translated = lines.map((line) => ({ line, pattern: toJavaScript(line) }));
  return {
    entries: [],
    patterns: translated.flatMap(({ pattern }) => (pattern === null ? [] : [{ ...what, pattern }])),
    skipped: translated.filter(({ pattern }) => pattern === null).map(({ line }) => line),
  };
}
