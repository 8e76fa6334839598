// What the inbox loads a moment after its first rows, in one file: the views of items, and what acts on rows. If each
// were imported separately, the bundler would make more than twenty small files of them.

// biome-ignore-all lint/performance/noBarrelFile: this is what the browser loads as one

export { OpenPush } from '../../items/push/push.tsx'
export { OpenRequest } from '../../items/request/request.tsx'
export { SaveView } from '../../shell/save-view.tsx'
export { ChosenBar } from './chosen-bar.tsx'
export { EmptyList } from './empty.tsx'
export { ListMenus } from './menus.tsx'
export { OpenThread } from './open-thread.tsx'
export { listenForSwipes } from './swipe.ts'
