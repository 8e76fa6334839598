// A slow line to the server, in a process of its own so that it does not take time from the clients.

import { startProxy } from '../test/tools/proxy.ts'
import { answer, nextMessage } from './child.ts'

const { url, delayMs } = await nextMessage<{ url: string; delayMs: number }>()
const proxy = await startProxy(url, { delayMs })
answer(proxy.url)
await nextMessage()
await proxy.stop()
