/** What must hold after every crash. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8'

export const INVARIANTS: Readonly<Record<Invariant, string>> = {
  I1: 'what was answered 200, 201 or 204 is in the store, field for field',
  I2: 'what is in the store was asked for; ids are unique and stay',
  I3: 'a mail that is owed has been accepted by the relay, or is parked with a reason',
  I4: 'a mail comes twice only where a process or a connection died in between, under the same Message-ID',
  I5: 'what was erased stays erased, and gets no mail',
  I6: 'an address gets one subscription and one mail for any number of requests',
  I7: 'after a crash the service is ready by itself, and its files and its audit trail are whole',
  I8: 'the links of every mail work, and nobody is confirmed who did not press the button',
}

/** A promise that was broken. */
export interface Finding {
  readonly invariant: Invariant
  /** What is wrong with what, for a person to read. */
  readonly message: string
  /** After how many kills. */
  readonly kill: number
}
