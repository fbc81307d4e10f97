/** KILT's section paths, as WAFER and WiCE write them: `Section::::Career.:Early years.` → headings. */
export function readHeadings(path: string): string[] {
  const headings = path
    .replace(/^Section::::/, '')
    .replace(/[.:]+$/, '')
    .split('.:');
  // the lead has the article's abstract for a name
  return headings.map((heading) => heading.trim()).filter((heading) => heading !== '' && heading !== 'Abstract');
}
