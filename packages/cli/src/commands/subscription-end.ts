import { defineOnBehalf } from '../act-on-behalf.ts'
import type { Verb } from '../verb.ts'

export const subscriptionEnd: Verb = {
  name: 'end',
  summary: 'End a subscription for its owner, who asked for it elsewhere',
  details: 'Its data stay as evidence of what was agreed to; `rollcall subscription erase` erases them.',
  examples: ['rollcall subscription end 8127340912345678 --reason "asked for it by letter"'],
  define: (command, session) => defineOnBehalf(command, session, 'endOnBehalf'),
}
