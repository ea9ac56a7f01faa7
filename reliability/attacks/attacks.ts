import type { Attack } from './attack.ts'
import { decompression } from './decompression.ts'
import { negotiation } from './negotiation.ts'
import { pipelining } from './pipelining.ts'
import { slowClients } from './slow-clients.ts'
import { tokens } from './tokens/forged-tokens.ts'

const ALL: readonly Attack[] = [decompression, pipelining, negotiation, slowClients, tokens]

/** By name, in the order in which they are carried out. */
export const ATTACKS: Readonly<Record<string, Attack>> = Object.fromEntries(ALL.map((attack) => [attack.name, attack]))
