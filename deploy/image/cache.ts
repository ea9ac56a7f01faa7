import path from 'node:path'

/** What was downloaded, by its hash. */
export const CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/deploy')
