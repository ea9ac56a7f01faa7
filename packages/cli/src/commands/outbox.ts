import type { Verb } from '../verb.ts'
import { outboxList } from './outbox-list.ts'
import { outboxRetry } from './outbox-retry.ts'

export const outbox: readonly Verb[] = [outboxList, outboxRetry]
