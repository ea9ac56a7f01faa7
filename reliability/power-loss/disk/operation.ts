export type NodeId = number

/** What was done to a disk, in terms of files and folders whatever their names. The root folder is node 0. */
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

/** Everything done to the node before `begun` is on the disk for good. */
export interface Sync {
  readonly kind: 'sync'
  readonly node: NodeId
  readonly begun: number
}

/** What others were told, and will remember whatever becomes of the disk. */
export type Promised =
  | { readonly kind: 'answered'; readonly requestId: string; readonly status: number }
  | { readonly kind: 'mailed'; readonly messageId: string }
  | { readonly kind: 'printed'; readonly text: string }

/** Something in a recording, and when it was so. */
export type RecordedOperation = { readonly moment: number } & (DiskOperation | Sync | Promised)

export const ROOT: NodeId = 0
