/** Pages and files that the tests of this folder read, made here. */

const sentence =
  'The ferry between Orrin Bay and the outer islands carried more than forty thousand passengers in its first summer.';

/** Long enough to be an article: no predicate for short pages holds. */
export const prose = Array.from({ length: 30 }, (_, index) => `<p>${sentence} This is paragraph ${index + 1}.</p>`);

export function page(body: string, head = ''): string {
  return `<!doctype html><html lang="en-GB"><head><title>The ferry</title>${head}</head><body>${body}</body></html>`;
}

export const articlePage = page(`<article><h1>The ferry</h1>${prose.join('')}</article>`);

/** A PDF of one text object a page; [] is a page without a text layer. '' leaves a gap, '# ' begins a line in larger type. */
export function pdf(pages: string[][]): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R /Lang (en) >>', ''];
  const kids: string[] = [];
  for (const lines of pages) {
    const content = `BT 60 760 Td\n${lines.map(draw).join('\n')}\nET`;
    const number = objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${number} 0 R ` +
        '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    );
    kids.push(`${number + 1} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  const info = objects.push('<< /Title (Ferry report) >>');
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info ${info} 0 R >>`;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${file}${table}trailer\n${trailer}\nstartxref\n${file.length}\n%%EOF`, 'latin1');
}

function draw(line: string): string {
  const [text, size] = line.startsWith('# ') ? [line.slice(2), 18] : [line, 12];
  return `/F1 ${size} Tf ${text === '' ? '' : `(${text.replace(/[()\\]/g, '\\$&')}) Tj `}0 ${-1.2 * size} Td`;
}
