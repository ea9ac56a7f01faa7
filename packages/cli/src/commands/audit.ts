import type { Verb } from '../verb.ts'
import { auditList } from './audit-list.ts'

export const audit: readonly Verb[] = [auditList]
