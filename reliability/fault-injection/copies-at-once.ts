import type { SourceChange } from './source-change.ts'

/**
 * A mail whose process died is tried again at once, and not when the caps of its address allow a copy: no run has ten
 * minutes to spare.
 */
export const COPIES_AT_ONCE: SourceChange = {
  file: 'packages/core/src/outbox/claim-mails.ts',
  find: 'decideMail(one.entry, facts, now, ports.transport.keepsMails)',
  replace: 'decideMail(one.entry, facts, now, true)',
}
