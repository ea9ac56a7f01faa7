import type { Finding, Invariant } from './finding.ts'
import { type AcceptedMail, isAboutDoneMove, Mailbox } from './mailbox.ts'
import type { Action } from './model.ts'
import { isSignUp, Person } from './person.ts'

/** An answer that was read to its end. */
interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * Milliseconds. A duplicate is allowed if the process died so soon after the relay had accepted the mail; long,
 * because a busy machine is slow. The real maximum is reported.
 */
const LONGEST_WINDOW = 30_000
/** The feeds of a form that asks for several; the first is the one of every other form. */
export const FEEDS = ['default', 'news'] as const
/**
 * Milliseconds within which the order of events on two connections is unknown, or in which a mail is begun that was still
 * there when it was looked up: on a busy machine, 41 were seen, with the processor taken away in between.
 */
const SAME_MOMENT = 200
/** Milliseconds: the ten minutes of the mail cap, less what clocks may differ. */
const MAIL_CAP_SPAN = 590_000

/** A client gets 408 if a busy machine kept it from sending. */
const ASK_AGAIN: readonly number[] = [408, 503]
/** What a proxy answers for a service that is gone or silent. The service itself never does. */
const OF_PROXIES: readonly number[] = [502, 504]

/**
 * What the service was asked and answered, kept by the clients; and what it sent, kept by the relay. The service
 * itself is never asked what it has done.
 */
export class Ledger {
  readonly persons = new Map<string, Person>()
  readonly #byNewAddress = new Map<string, Person>()
  readonly mailbox = new Mailbox()
  readonly findings: Finding[] = []
  readonly touched = new Set<Person>()
  acknowledged = 0
  unanswered = 0
  /** Called for each request that has ended; without a status if it was not answered. */
  onOutcome: (action: Action, status: number | undefined) => void = () => undefined
  /** Milliseconds from the acceptance of a mail to the death of its process, for mails that came twice. */
  longestWindow = 0
  /** When each process of the service ended. */
  readonly #deaths: number[] = []
  readonly #now: () => number
  readonly #askAgain: readonly number[]
  #next = 0

  /** `proxied`: a proxy in front may answer in place of the service. */
  constructor(now: () => number = () => performance.now(), { proxied = false } = {}) {
    this.#now = now
    this.#askAgain = proxied ? [...ASK_AGAIN, ...OF_PROXIES] : ASK_AGAIN
  }

  get kills(): number {
    return this.#deaths.length
  }

  newPerson(domain = 'example.com'): Person {
    const number = this.#next++
    return this.add(new Person(`person-${number}@${domain}`, `user-${number}`))
  }

  add(person: Person): Person {
    this.persons.set(person.email, person)
    this.#byNewAddress.set(person.newEmail, person)
    return person
  }

  /** Whose address this is, or is to be. */
  personAt(email: string): Person | undefined {
    return this.persons.get(email) ?? this.#byNewAddress.get(email)
  }

  sent(person: Person, action: Action): void {
    this.touched.add(person)
    person.sent(action)
  }

  /**
   * Whether the action is decided. Without a complete answer it is open whether it was done, and so it is after
   * an answer that says to try again.
   */
  answered(person: Person, action: Action, answer: Answer | undefined): boolean {
    this.onOutcome(action, answer?.status)
    if (answer === undefined || this.#askAgain.includes(answer.status)) {
      this.unanswered++
      person.unanswered(action)
      return false
    }
    this.acknowledged++
    const before = JSON.stringify(person.possible)
    if (!person.answered(action, answer.status, this.#now()))
      this.report(
        'I1',
        `${JSON.stringify(action)} for ${person.email} was answered ${answer.status}, and the state was ${before}`,
      )
    if ('name' in action && isSignUp(action) && answer.status === 200) {
      const feeds = action.kind === 'subscribe' ? ['default'] : FEEDS
      this.#readSubscriptions(person, action.name, feeds, answer.body)
    }
    return true
  }

  died(): void {
    this.#deaths.push(this.#now())
  }

  received(mail: AcceptedMail): void {
    const person = this.personAt(mail.to)
    if (person === undefined) this.report('I2', `a mail came for ${mail.to}, which never signed up`)
    if (person?.erasedAt !== undefined && mail.begunAt > person.erasedAt + SAME_MOMENT)
      this.report('I5', `a mail to ${mail.to} was begun ${since(person.erasedAt, mail.begunAt)} after it was erased`)
    const others = this.mailbox.of(mail.to)
    const duplicate = this.mailbox.add(mail)
    if (duplicate) this.#judgeDuplicate(duplicate.first, mail)
    else if (!isAboutDoneMove(mail)) {
      const other = others.findLast((one) => one.messageId !== mail.messageId && !isAboutDoneMove(one))
      if (other && mail.acceptedAt - other.acceptedAt < MAIL_CAP_SPAN)
        this.report('I6', `${mail.to} got another mail ${since(other.acceptedAt, mail.acceptedAt)} after the last`)
    }
  }

  report(invariant: Invariant, message: string): void {
    this.findings.push({ invariant, message, kill: this.kills })
  }

  #judgeDuplicate(first: AcceptedMail, again: AcceptedMail): void {
    if (first.cutOff) return
    const death = this.#deaths[first.processNumber]
    if (again.processNumber === first.processNumber || death === undefined) {
      this.report('I4', `${again.messageId} came twice from one process`)
      return
    }
    const window = death - first.acceptedAt
    this.longestWindow = Math.max(this.longestWindow, window)
    if (window > LONGEST_WINDOW)
      this.report('I4', `${again.messageId} came twice: the process lived ${Math.round(window)} ms after the first`)
  }

  #readSubscriptions(person: Person, name: string, feeds: readonly string[], body: string): void {
    const found = subscriptionsIn(body)
    const isExpected = (feed: string, n: number): boolean => {
      const { id, ...rest } = found[n] ?? {}
      const expected = Object.entries({ name, email: person.email, feed })
      return typeof id === 'number' && expected.every(([key, value]) => rest[key] === value)
    }
    const id = found[0]?.id
    if (typeof id !== 'number' || found.length !== feeds.length || !feeds.every(isExpected)) {
      this.report('I1', `${person.email} was answered ${body}`)
    } else if (person.id !== undefined && person.id !== id) {
      this.report('I2', `the id of ${person.email} was ${person.id} and is ${id}`)
    } else person.id = id
  }
}

const subscriptionsIn = (body: string): readonly Record<string, unknown>[] => {
  try {
    const { subscription, subscriptions = [subscription] } = JSON.parse(body)
    return Array.isArray(subscriptions) ? subscriptions.map((one) => one ?? {}) : []
  } catch {
    // The caller reports it.
    return []
  }
}

const since = (earlier: number, later: number): string => `${Math.round(later - earlier)} ms`
