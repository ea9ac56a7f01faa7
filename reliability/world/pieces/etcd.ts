import { freePort } from '../../../packages/app/test/free-port.ts'
import type { Place } from './place.ts'
import { programOf, TOOLS } from './tools.ts'

/** An etcd of one member. */
export class Etcd {
  readonly port: number

  private constructor(port: number) {
    this.port = port
  }

  static async start(place: Place): Promise<Etcd> {
    const [port, peers] = [await freePort(), await freePort()]
    const cwd = place.make('etcd')
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
    const options = {
      name: 'one',
      'data-dir': `${cwd}/data`,
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `one=${peerUrl}`,
      'log-level': 'warn',
    }
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    const daemon = place.run({ name: 'etcd', command: [programOf(TOOLS.etcd), ...args], cwd })
    await daemon.until(async () => {
      const answer = await fetch(`${clientUrl}/health`).catch(() => undefined)
      return answer?.ok === true && (await answer.text()).includes('"true"')
    })
    return new Etcd(port)
  }
}
