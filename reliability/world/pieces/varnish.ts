import type { Place } from './place.ts'
import { programOf, TOOLS } from './tools.ts'

/** A Varnish with its own settings: it keeps an answer for two minutes where the answer does not say otherwise. */
export const startVarnish = async (place: Place, port: number, behind: number): Promise<void> => {
  const cwd = place.make('varnish')
  const options = ['-F', '-j', 'none', '-n', `${cwd}/work`, '-s', 'malloc,64m']
  const addresses = ['-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${behind}`]
  const daemon = place.run({ name: 'Varnish', command: [programOf(TOOLS.varnish), ...options, ...addresses], cwd })
  await daemon.listens(port)
}
