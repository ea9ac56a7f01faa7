import { ADMIN, type Caller, SYSTEM } from '../access/caller.ts'

/** What a provider or a mail server reports by itself is about every feed. */
export const PROVIDER: Caller = { ...SYSTEM, roles: [ADMIN], channel: 'feedback' }
