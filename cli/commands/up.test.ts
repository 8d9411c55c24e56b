import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runCli } from '../testing/child-process.ts';
import { runInProcess } from '../testing/in-process.ts';

// The started programs are tested in test/stack.
suite('ohmstead up', () => {
  for (const houses of ['many', '-1', '501'])
    test(`--houses ${houses} is refused with a sentence`, async () => {
      const { code, err } = await runInProcess(['up', `--houses=${houses}`]);
      assert.equal(code, 2);
      assert.match(err, /^--houses must be a whole number from 0 to 500\.\n/);
    });

  test('the simulated homes are refused where another broker is configured', async () => {
    const { code, err } = await runCli(['up'], {
      BROKER_URL: 'amqp://localhost',
      BROKER_MANAGEMENT_URL: 'http://localhost',
      INTERNAL_TOKEN: 'what RabbitMQ brings along',
    });
    assert.equal(code, 1);
    assert.match(err, /^BROKER_URL is set; .+--without-simulation\.\n$/);
  });
});
