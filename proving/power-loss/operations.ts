import path from 'node:path'
import { Conversations } from './conversations.ts'
import { Folders, type Location } from './disk-node.ts'
import type { Acknowledgement, DiskOperation, NodeId, RecordedOperation } from './operation.ts'
import { bytesIn, descriptorIn, numbersIn, pathsIn, type TracedCall, tracedCalls } from './traced-call.ts'

const STANDARD_OUTPUT = 1

/** SQLite's shared memory: mapped, never synced, and recreated by the first process that opens the database. */
export const isVolatile = (name: string): boolean => name.endsWith('-shm')

/** Reads a trace of processes that all worked below one folder. */
export class Operations {
  readonly #folders: Folders
  readonly #root: string
  readonly #volatile = new Set<NodeId>()
  readonly #sizes = new Map<NodeId, number>()
  /** The offset of the next plain write to a file. No file is opened twice at once for plain writes. */
  readonly #positions = new Map<NodeId, number>()
  readonly #conversations = new Conversations()

  constructor(root: string) {
    this.#root = path.resolve(root)
    this.#folders = new Folders(this.#root)
  }

  /** @throws {Error} the trace has a call whose effect it does not fully show */
  *of(lines: readonly string[]): Generator<RecordedOperation> {
    for (const call of tracedCalls(lines)) if (call.result >= 0) yield* this.#understand(call)
  }

  *#understand(call: TracedCall): Generator<RecordedOperation> {
    const { name, args, begun, ended } = call
    const at = (operation: DiskOperation): RecordedOperation => ({ ...operation, moment: ended })
    switch (name) {
      case 'open':
      case 'openat':
        yield* this.#open(call).map(at)
        return
      case 'mkdir':
      case 'mkdirat':
        yield* this.#makeFolder(this.#only(args)).map(at)
        return
      case 'link':
      case 'linkat':
      case 'rename':
      case 'renameat':
      case 'renameat2':
        yield* this.#moveOrLink(call).map(at)
        return
      case 'rmdir':
      case 'unlink':
      case 'unlinkat':
        yield* this.#unname(this.#only(args)).map(at)
        return
      case 'write':
      case 'writev':
      case 'sendmsg':
      case 'sendto':
      case 'pwrite64':
      case 'pwritev':
        yield* this.#write(call)
        return
      case 'ftruncate':
        yield* this.#resize(this.#node(args), numbersIn(args)[0]).map(at)
        return
      case 'fsync':
      case 'fdatasync': {
        const node = this.#node(args)
        if (node !== undefined && !this.#volatile.has(node)) yield { kind: 'sync', node, begun, moment: ended }
        return
      }
      case 'mmap':
        this.#requirePrivate(args)
        return
      default:
        // A polled ring may do file operations; the other kind serves sockets only.
        if (this.#node(args) !== undefined || args.includes('IORING_SETUP_SQPOLL'))
          throw new Error(`the service used ${name}, which the simulated disk does not support`)
    }
  }

  #open({ args }: TracedCall): DiskOperation[] {
    const [file = ''] = pathsIn(args)
    const location = this.#folders.locate(file)
    const known = this.#folders.find(file)
    if (known !== undefined) {
      this.#positions.set(known, args.includes('O_APPEND') ? (this.#sizes.get(known) ?? 0) : 0)
      return args.includes('O_TRUNC') ? this.#resize(known, 0) : []
    }
    if (location === undefined || !args.includes('O_CREAT')) return []
    const node = this.#folders.newNode()
    if (isVolatile(location.name)) this.#volatile.add(node)
    return this.#name(location, node)
  }

  #makeFolder(location: Location | undefined): DiskOperation[] {
    if (location === undefined) return []
    const node = this.#folders.newFolder()
    return [{ kind: 'folder', node }, ...this.#name(location, node)]
  }

  #name(location: Location | undefined, node: NodeId): DiskOperation[] {
    if (location === undefined) return []
    this.#folders.put(location, node)
    return [{ kind: 'name', ...location, node }]
  }

  #unname(location: Location | undefined): DiskOperation[] {
    if (location === undefined) return []
    this.#folders.remove(location)
    return [{ kind: 'unname', ...location }]
  }

  #moveOrLink({ name, args }: TracedCall): DiskOperation[] {
    const [from, to] = pathsIn(args).map((file) => this.#folders.locate(file))
    const node = from && this.#folders.at(from)
    if (from === undefined || to === undefined || node === undefined) return []
    if (name.startsWith('link')) return this.#name(to, node)
    if (from.folder !== to.folder) throw new Error('the simulated disk cannot move a file into another folder')
    this.#folders.remove(from)
    this.#folders.put(to, node)
    return [{ kind: 'rename', ...from, to: to.name, node }]
  }

  *#write({ name, args, result, begun, ended }: TracedCall): Generator<RecordedOperation> {
    const { fd, target } = descriptorIn(args)
    const node = this.#node(args)
    if (node === undefined) {
      if (target.startsWith(`${this.#root}/`)) throw new Error(`the trace does not show how ${target} was created`)
      // It may have been received as soon as its sending began.
      for (const promised of this.#promised(fd, target, args)) yield { ...promised, moment: begun }
      return
    }
    if (this.#volatile.has(node)) return
    const bytes = Buffer.concat(bytesIn(args)).subarray(0, result)
    const offset = name.startsWith('p') ? (numbersIn(args)[1] ?? 0) : (this.#positions.get(node) ?? 0)
    this.#positions.set(node, offset + result)
    this.#sizes.set(node, Math.max(this.#sizes.get(node) ?? 0, offset + result))
    yield { kind: 'write', node, offset, bytes, moment: ended }
  }

  #promised(fd: number, target: string, args: string): Acknowledgement[] {
    // This may be a socket, too.
    if (fd === STANDARD_OUTPUT) return this.#conversations.read(Buffer.concat(bytesIn(args)))
    return target.startsWith('socket:') ? this.#conversations.hear(target, Buffer.concat(bytesIn(args))) : []
  }

  #resize(node: NodeId | undefined, size: number): DiskOperation[] {
    if (node === undefined || this.#volatile.has(node)) return []
    this.#sizes.set(node, size)
    return [{ kind: 'resize', node, size }]
  }

  #node(args: string): NodeId | undefined {
    const { target } = descriptorIn(args)
    return target === '' ? undefined : this.#folders.find(target)
  }

  #only(args: string): Location | undefined {
    const [file = ''] = pathsIn(args)
    return this.#folders.locate(file)
  }

  /** Writes to mapped memory are not in the trace. */
  #requirePrivate(args: string): void {
    if (!args.includes('MAP_SHARED') || !args.includes('PROT_WRITE')) return
    const target = /, \d+<([^>]*)>,/.exec(args)?.[1] ?? ''
    const file = Buffer.from(target.replaceAll('\\x', ''), 'hex').toString()
    if (this.#folders.locate(file) !== undefined && !isVolatile(file))
      throw new Error(`the service mapped ${file} for writing`)
  }
}
