/** One report as a provider wrote it: nothing is known of its fields. */
export type Report = Readonly<Record<string, unknown>>

/** What a provider logs of a message that it refuses or cannot use; never with an address. */
export type WarningLog = (message: string) => void

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The reports in a body that is one object, or a list of them; undefined for anything else. */
export const reportsIn = (body: Uint8Array): readonly Report[] | undefined => {
  try {
    const found: unknown = JSON.parse(utf8.decode(body))
    const list: readonly unknown[] = Array.isArray(found) ? found : [found]
    return list.filter((one): one is Report => typeof one === 'object' && one !== null && !Array.isArray(one))
  } catch {
    return undefined
  }
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Servers write more around it. */
export const statusIn = (value: unknown): string | undefined =>
  /(?<![\d.])[45]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})(?!\.?\d)/.exec(textOf(value) ?? '')?.[0]
