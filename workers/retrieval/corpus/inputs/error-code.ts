/** The code of an error that Node throws (`ENOENT`, `Z_DATA_ERROR`); '' for any other. */
export function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
