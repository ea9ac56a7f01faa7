/** A port whose methods answer at once, as SQLite does. */
export type Synchronous<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...parameters: infer Parameters) => Promise<infer Result>
    ? (...parameters: Parameters) => Result
    : never
}

/** Turns what a call returns or throws into a promise. */
export type Invoke = <Parameters extends unknown[], Result>(
  call: (...parameters: Parameters) => Result,
  ...parameters: Parameters
) => Promise<Result>

/** The port over its synchronous form. */
export const asynchronous = <Port extends object>(store: Synchronous<Port>, invoke: Invoke): Port => {
  const methods = Object.entries<unknown>(store).map(([name, method]) => {
    const call = method as (...parameters: unknown[]) => unknown
    return [name, (...parameters: unknown[]) => invoke(call, ...parameters)]
  })
  return Object.fromEntries(methods) as Port
}
