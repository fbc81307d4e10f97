/** The published formats that can be converted. */
export const FORMAT_NAMES = ['wice', 'wafer', 'source-verifier', 'fever', 'feverous', 'fm2', 'vitaminc'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];
