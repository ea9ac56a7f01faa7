import type { SeededBug } from '../seeded-bug.ts'
import { DURABILITY_BUGS } from './durability.ts'
import { MAIL_BUGS } from './mail.ts'
import { PROMISE_BUGS } from './promises.ts'

export const SEEDED_BUGS: readonly SeededBug[] = [...DURABILITY_BUGS, ...MAIL_BUGS, ...PROMISE_BUGS]
