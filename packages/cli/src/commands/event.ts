import type { Verb } from '../verb.ts'
import { eventList } from './event-list.ts'

export const event: readonly Verb[] = [eventList]
