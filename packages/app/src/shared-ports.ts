import { EVERY_ADDRESS } from './every-address.ts'

type Of = '' | 'CONSOLE_' | 'METRICS_'

type Listeners = Readonly<Record<`${Of}HOST`, string> & Partial<Record<`${Of}PORT`, number | undefined>>>

/** What is wrong with listeners that get in each other's way. */
export const sharedPorts = (values: Listeners): readonly string[] => {
  const listeners = (['', 'CONSOLE_', 'METRICS_'] as const).map((of) => ({
    setting: `ROLLCALL_${of}PORT`,
    port: values[`${of}PORT`],
    host: values[`${of}HOST`],
  }))
  return listeners.flatMap(({ setting, port, host }, place) => {
    const meets = (other: string): boolean => other === host || EVERY_ADDRESS.has(other) || EVERY_ADDRESS.has(host)
    const other = listeners.slice(0, place).find((one) => one.port === port && meets(one.host))
    return port === undefined || other === undefined
      ? []
      : [`${setting}: ${other.setting} is ${port}, too. Choose another port.`]
  })
}
