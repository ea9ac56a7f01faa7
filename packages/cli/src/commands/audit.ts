import type { Verb } from '../verb.ts'
import { auditExport } from './audit-export.ts'
import { auditList } from './audit-list.ts'
import { auditVerify } from './audit-verify.ts'

export const audit: readonly Verb[] = [auditList, auditVerify, auditExport]
