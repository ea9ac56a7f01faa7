/** What must hold after every crash. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8'

export const INVARIANTS: Readonly<Record<Invariant, string>> = {
  I1: 'everything that was answered 200, 201 or 204 is in the store, field by field',
  I2: 'everything in the store was asked for; ids are unique and never change',
  I3: 'every pending mail was accepted by the relay, or is parked with a reason',
  I4: 'a mail is sent twice only if a process or a connection died in between, with the same Message-ID',
  I5: 'what was erased stays erased, and gets no mail',
  I6: 'an address gets one subscription and one mail for any number of requests',
  I7: 'after a crash the service becomes ready by itself, and its files and its audit trail are intact',
  I8: 'the links of every mail work, and only pressing the button confirms',
}

export interface Finding {
  readonly invariant: Invariant
  readonly message: string
  /** After how many kills. */
  readonly kill: number
}
