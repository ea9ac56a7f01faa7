import type { Verb } from '../verb.ts'
import { tokenIssue } from './token-issue.ts'

export const token: readonly Verb[] = [tokenIssue]
