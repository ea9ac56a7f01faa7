import type { Dependencies } from '../dependencies.ts'
import { BeginConsoleSessionUseCase } from './begin-console-session-use-case.ts'
import {
  EndConsoleSessionUseCase,
  ListConsoleSessionsUseCase,
  TidyConsoleUseCase,
} from './console-sessions-use-cases.ts'
import { ContinueDeletionsUseCase } from './continue-deletions-use-case.ts'
import { ListDeletionRunsUseCase, PlanDeletionsUseCase, ShowDeletionRunUseCase } from './deletion-runs-use-cases.ts'
import { FindPersonUseCase, ShowAddressUseCase } from './find-person-use-case.ts'
import { IssueLoginLinkUseCase } from './issue-login-link-use-case.ts'
import { ResumeConsoleSessionUseCase } from './resume-console-session-use-case.ts'
import { SearchAuditUseCase } from './search-audit-use-case.ts'
import { ShowOverviewUseCase } from './show-overview-use-case.ts'

export * from './begin-console-session-use-case.ts'
export * from './console-session.ts'
export * from './console-sessions-use-cases.ts'
export * from './continue-deletions-use-case.ts'
export * from './deletion-run.ts'
export * from './deletion-runs-use-cases.ts'
export * from './find-person-use-case.ts'
export * from './issue-login-link-use-case.ts'
export * from './resume-console-session-use-case.ts'
export * from './search-audit-use-case.ts'
export * from './show-overview-use-case.ts'

/** What only a console asks of the core. */
export const consoleUseCasesOf = (all: Dependencies) => ({
  beginConsoleSession: new BeginConsoleSessionUseCase(all),
  continueDeletions: new ContinueDeletionsUseCase(all),
  endConsoleSession: new EndConsoleSessionUseCase(all),
  findPerson: new FindPersonUseCase(all),
  issueLoginLink: new IssueLoginLinkUseCase(all),
  listConsoleSessions: new ListConsoleSessionsUseCase(all),
  listDeletionRuns: new ListDeletionRunsUseCase(all),
  planDeletions: new PlanDeletionsUseCase(all),
  resumeConsoleSession: new ResumeConsoleSessionUseCase(all),
  searchAudit: new SearchAuditUseCase(all),
  showAddress: new ShowAddressUseCase(all),
  showDeletionRun: new ShowDeletionRunUseCase(all),
  showOverview: new ShowOverviewUseCase(all),
  tidyConsole: new TidyConsoleUseCase(all),
})
