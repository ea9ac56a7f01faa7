import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { howToGetPythonTools } from './python-tools.ts'

const OF_DEBIAN: readonly (readonly [command: string, purpose: string, debianPackage?: string])[] = [
  ['systemd-analyze', 'which checks the unit', 'systemd'],
  ['unshare', 'which makes the namespaces that systemd is booted in', 'util-linux'],
  ['docker-compose', 'which reads the files of Compose'],
  ['promtool', 'which tests the alert rules', 'prometheus'],
  ['prometheus', 'which asks what is on the dashboard'],
  ['haproxy', 'which is put in front of two instances'],
  ['pg_dump', 'which the drill of a restore uses', 'postgresql'],
  ['buildah', 'which builds the image'],
  ['mmdebstrap', 'which makes what the image begins with'],
  ['runc', 'which starts the image'],
]

const isRootOrMayBe = (): boolean =>
  process.getuid?.() === 0 || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0

/** What the tests of `deploy` need and this machine has not: sentences that say how to get it. */
export const missingForDeploy = (isThere: (name: string) => boolean): (string | undefined)[] => [
  ...OF_DEBIAN.map(([command, purpose, debianPackage = command]) =>
    isThere(command) ? undefined : `${command} is missing, ${purpose}: \`apt-get install ${debianPackage}\`.`,
  ),
  howToGetPythonTools(),
  existsSync('/lib/systemd/systemd')
    ? undefined
    : 'systemd is missing, which the unit is started by: `apt-get install systemd`.',
  isRootOrMayBe()
    ? undefined
    : 'Booting systemd and starting the image need root: run the system tests as root, or allow `sudo` without a password.',
]
