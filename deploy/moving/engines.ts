/** What `sidelight migrate` moves between: SQLite files in DATA_DIR, or the MariaDB that DATABASE_URL names. */
export const ENGINES = ['sqlite', 'mariadb'] as const;
export type Engine = (typeof ENGINES)[number];
