import type { SeededBug } from './bugs.ts'

const CONNECTION = 'packages/storage-sql/src/sqlite/connection.ts'
const MAIL_FOLDER = 'packages/mail/src/mail-folder.ts'
const LOG_FILE = 'packages/storage-sql/src/sqlite/log-file.ts'
const GROUP_COMMIT = 'packages/storage-sql/src/sqlite/group-commit.ts'

/** Acknowledged data is not on disk, or not complete. */
export const DURABILITY_BUGS: readonly SeededBug[] = [
  {
    name: 'no-sync',
    what: 'SQLite syncs nothing (synchronous=OFF)',
    changes: [
      { file: CONNECTION, find: "['synchronous', syncedApart ? NORMAL : FULL]", replace: "['synchronous', 0]" },
      { file: LOG_FILE, find: 'await syncFile(this.#fd, this.#database)', replace: '' },
    ],
    check: 'power-loss',
  },
  {
    name: 'normal-sync',
    what: 'the log is synced only when it is checkpointed (synchronous=NORMAL, and nothing else)',
    changes: [{ file: LOG_FILE, find: 'await syncFile(this.#fd, this.#database)', replace: '' }],
    check: 'power-loss',
  },
  {
    name: 'command-not-synced',
    what: 'a command beside the server says what it did before that is on the disk',
    changes: [
      {
        file: 'packages/storage-sql/src/sqlite/open-sqlite-storage.ts',
        find: '{ log, pause: lockPause,',
        replace: '{ log: shared ? undefined : log, pause: lockPause,',
      },
    ],
    check: 'power-loss',
  },
  {
    name: 'folder-not-synced',
    what: 'the data folder is used before its own name is on the disk',
    changes: [
      {
        file: 'packages/platform-node/src/files.ts',
        find: '  syncFolderSync(path.dirname(folder))',
        replace: '',
      },
    ],
    check: 'power-loss',
  },
  {
    name: 'mail-not-synced',
    what: 'a mail counts as sent before its file is on the disk',
    changes: [
      {
        file: MAIL_FOLDER,
        find: 'await handle.writeFile(content)\n    await handle.sync()',
        replace: 'await handle.writeFile(content)',
      },
    ],
    check: 'power-loss',
  },
  {
    name: 'mail-name-not-synced',
    what: "a mail counts as sent before its file's name is on the disk",
    changes: [{ file: MAIL_FOLDER, find: 'await this.#sync.run()\n    return file', replace: 'return file' }],
    check: 'power-loss',
  },
  {
    name: 'mail-removal-not-synced',
    what: "an erasure is answered before the names of its mails' files are gone from the disk",
    changes: [{ file: MAIL_FOLDER, find: 'if (removed > 0) await this.#sync.run()', replace: '' }],
    check: 'power-loss',
  },
  {
    name: 'mail-written-in-place',
    what: 'a mail is written under its final name',
    changes: [
      {
        file: MAIL_FOLDER,
        find: 'const draft = path.join(this.#path, ',
        replace: 'const draft = path.join(this.#path, name) || path.join(this.#path, ',
      },
    ],
    check: 'power-loss',
  },
  {
    name: 'answer-before-commit',
    what: 'requests are answered before the commit',
    changes: [
      {
        file: GROUP_COMMIT,
        find: 'this.#writer.commit()\n      this.#answer(begun, answers)',
        replace:
          'this.#answer(begun, answers)\n      await new Promise((go) => setTimeout(go, 20))\n      this.#writer.commit()',
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'half-a-unit',
    what: 'what a unit wrote before it failed is committed',
    changes: [{ file: GROUP_COMMIT, find: 'this.#writer.undoUnit()', replace: '' }],
    check: 'refused-restore',
  },
  {
    name: 'audit-outside',
    what: 'the audit record is written after the transaction of the change',
    changes: [
      {
        file: 'packages/core/src/users/change-user.ts',
        find: "if (change.kind === 'store') await store(stores, change, recordOf(change.user))",
        replace: `if (change.kind === 'store') {
        await storeUser(stores, change.user, change.event)
        setTimeout(() => void unitOfWork.run(({ audit }) => audit.append(recordOf(change.user))), 20)
      }`,
      },
    ],
    check: 'power-loss',
  },
  {
    name: 'feedback-outside',
    what: 'feedback is carried out after the transaction that was acknowledged',
    changes: [
      {
        file: 'packages/core/src/feedback/feedback-recorder.ts',
        find: 'await effect?.carryOut()',
        replace: `setTimeout(
            () =>
              void this.#ports.unitOfWork.run(
                async (later) => await (await effectOf(later, this.#ports, caller, subject, item))?.carryOut(),
              ),
            1_000,
          )`,
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'half-a-move',
    what: 'the old subscription ends after the transaction that confirms the new one',
    changes: [
      {
        file: 'packages/core/src/moves/carry-out-move-use-case.ts',
        find: "const { episode } = await endAndRecord(stores, old, 'moved', source, { clock, randomness })",
        replace: `const episode = old.episode
      setTimeout(
        () =>
          void this.ports.unitOfWork.run((later) => endAndRecord(later, old, 'moved', source, { clock, randomness })),
        1_000,
      )`,
      },
    ],
    check: 'late-kills',
  },
  {
    name: 'carried-out-apart',
    what: 'an accepted sign-up is removed from the queue before what it asks for is stored',
    changes: [
      {
        file: 'packages/core/src/sign-up/process-sign-ups-use-case.ts',
        find: 'return await carryOut(stores, this.ports, requests)',
        replace: `await stores.requests.remove(requests.map(({ id }) => id))
      setTimeout(() => void this.ports.unitOfWork.run((later) => carryOut(later, this.ports, requests)), 300)
      return { requests: requests.length, turnedAway: [] }`,
      },
    ],
    check: 'random-kills',
  },
]
