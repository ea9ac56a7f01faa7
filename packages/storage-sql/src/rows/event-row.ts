import type { EventRecord, EventType } from '@rollcall/core'

export type EventRow = [position: number, type: EventType, subject: string, at: number]

export const toEventRecord = ([position, type, subject, at]: EventRow): EventRecord => ({ position, type, subject, at })
