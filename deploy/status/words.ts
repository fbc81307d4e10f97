/** Numbers as a person reads them at a glance. In: seconds, counts, bytes. Out: a few characters. */

/** Null: `-`. */
export function age(seconds: number | null): string {
  if (seconds === null) return '-';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export function amount(count: number): string {
  return count.toLocaleString('en');
}

export function bytes(count: number): string {
  if (count < 1024 ** 2) return `${Math.ceil(count / 1024)} KB`;
  return count < 1024 ** 3 ? `${Math.round(count / 1024 ** 2)} MB` : `${(count / 1024 ** 3).toFixed(1)} GB`;
}
