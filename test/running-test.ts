// Loaded before every test process. To know which test is running, node:test follows every promise with asynchronous hooks, which take a
// tenth of the processor time. It gets the same answer from an AsyncLocalStorage here, which costs almost nothing.
import type { HookCallbacks } from 'node:async_hooks';

const hooks = process.getBuiltinModule('node:async_hooks');
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;

const running = new AsyncLocalStorage<number>();
let enter: HookCallbacks['init'];

/** The class from which node:test derives its tests. */
class Followed extends AsyncResource {
  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    const id = this.asyncId();
    enter?.(id, '', 0, this);
    return super.runInAsyncScope(() => running.run(id, () => Reflect.apply(work, self as This, args)));
  }
}

Object.assign(hooks, {
  AsyncResource: Followed,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook({ init }: HookCallbacks) {
    enter = init;
    return { enable() {}, disable() {} };
  },
});
process.getBuiltinModule('node:test'); // takes the functions above
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });

// An error in a callback of a socket has no test, so node:test would only print its message.
process.on('uncaughtExceptionMonitor', (error) => {
  if (running.getStore() === undefined) console.error(error);
});
