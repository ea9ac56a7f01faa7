import type { AuditAction, AuditRecord, Channel, RoleSource } from '@rollcall/core'
import type { Told } from './told.ts'

/** Who did something, by which way, and why. */
export const toldActor = (told: Told, actor: string) => ({
  actor: told.text(actor),
  // Shown as they are: a server of another version may have more of them.
  roleSource: told.text('role_source') as RoleSource,
  channel: told.text('channel') as Channel,
  requestId: told.optionalText('request_id'),
  reason: told.optionalText('reason'),
})

export const toldAuditRecord = (told: Told): AuditRecord => ({
  ...toldActor(told, 'actor'),
  sequence: told.number('sequence'),
  at: told.instant('at'),
  tokenId: told.optionalText('token_id'),
  action: told.text('action') as AuditAction,
  target: told.optionalText('target'),
  outcome: told.text('outcome'),
  count: told.number('count'),
  hash: told.text('hash'),
})
