import { closest } from 'fastest-levenshtein'

// Kubernetes makes these for a Service called `rollcall`, in every container.
const MADE_BY_KUBERNETES = /^ROLLCALL_(?:SERVICE_(?:HOST|PORT(?:_.*)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_.*)?)$/

export const ignoredNames = (name: string, value: string): boolean =>
  MADE_BY_KUBERNETES.test(name) || (name === 'ROLLCALL_PORT' && /^(?:tcp|udp|sctp):\/\//.test(value))

export const closestName = (name: string, known: readonly string[]): string => closest(name, [...known])
