export type NodeId = number

/** A change to a disk, in terms of nodes (files and folders). The root folder is node 0. */
export type DiskOperation =
  | { readonly kind: 'folder'; readonly node: NodeId }
  | { readonly kind: 'write'; readonly node: NodeId; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly node: NodeId; readonly size: number }
  | { readonly kind: 'name'; readonly folder: NodeId; readonly name: string; readonly node: NodeId }
  | { readonly kind: 'unname'; readonly folder: NodeId; readonly name: string }
  | {
      readonly kind: 'rename'
      readonly folder: NodeId
      readonly name: string
      readonly to: string
      readonly node: NodeId
    }

/** Every change to the node before `begun` is durable. */
interface Sync {
  readonly kind: 'sync'
  readonly node: NodeId
  readonly begun: number
}

/** What others have received, whatever becomes of the disk. */
export type Acknowledgement =
  | { readonly kind: 'answered'; readonly requestId: string; readonly status: number }
  | { readonly kind: 'mailed'; readonly messageId: string }
  | { readonly kind: 'printed'; readonly text: string }

/** An entry of a recording, with its moment. */
export type RecordedOperation = { readonly moment: number } & (DiskOperation | Sync | Acknowledgement)

export const ROOT: NodeId = 0
