/** What must hold after every crash, and (W) in front of and behind what others run. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'W1' | 'W2' | 'W3' | 'W4' | 'W5' | 'W6'

export const INVARIANTS: Readonly<Record<Invariant, string>> = {
  I1: 'everything that was answered 200, 201 or 204 is in the store, field by field',
  I2: 'everything in the store was asked for; ids are unique and never change',
  I3: 'every pending mail was accepted by the relay, or is parked with a reason',
  I4: 'a mail is sent twice only if a process or a connection died in between, with the same Message-ID',
  I5: 'what was erased stays erased, and gets no mail',
  I6: 'an address gets one subscription and one mail for any number of requests',
  I7: 'after a crash the service becomes ready by itself, and its files and its audit trail are intact',
  I8: 'the links of every mail work, and only pressing the button confirms',
  W1: 'within two seconds of the database taking writes again, the service answers 2xx',
  W2: 'what cannot keep the promises is refused, at the start and by /readyz, with the reason',
  W3: 'no cache and no proxy gives one client what another one was answered, and none makes an answer 5xx',
  W4: 'clients are told apart by the address that the trusted proxies saw, and by nothing that they send themselves',
  W5: 'a rolling restart behind a balancer makes no request fail',
  W6: 'tokens of an identity provider are accepted and refused as they must be, also after its key has changed',
}

/** A promise that was broken. */
export interface Finding {
  readonly invariant: Invariant
  /** In words, for the report. */
  readonly message: string
  /** After how many kills. */
  readonly kill: number
}
