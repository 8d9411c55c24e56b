import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createHouse } from '#sim/house.ts';
import { circuit, garage, roof } from './house-parts.ts';

const noon = Date.UTC(2026, 5, 21, 11);
const clock = { now: () => noon };

suite('the parts of a house', () => {
  const house = createHouse({ seed: 1, clock });
  for (const at of [noon, noon + 3_600_000, noon + 12 * 3_600_000])
    test(`add up at ${new Date(at).toISOString()}`, () => {
      const [all, onRoof, onGarage] = [house.at(at), roof(house).at(at), garage(house).at(at)];
      assert.equal(onRoof.pv_W + onGarage.pv_W, all.pv_W);
      assert.ok(Math.abs(onRoof.Wh.generated + onGarage.Wh.generated - all.Wh.generated) < 1e-6);
      assert.deepEqual([onRoof.meter_W, onRoof.battery_W], [all.meter_W, all.battery_W]);
    });

  test('a circuit uses part of the load and counts its energy', () => {
    const house = createHouse({ seed: 1, clock });
    const part = circuit(house);
    const [before, after] = [part.at(noon), part.at(noon + 600_000)];
    assert.ok(before.meter_W > 0 && before.meter_W < house.at(noon).load_W);
    assert.equal(
      before.phases.reduce((sum, { W }) => sum + W, 0),
      before.meter_W,
    );
    const used_Wh = after.Wh.imported - before.Wh.imported;
    assert.ok(used_Wh > before.meter_W / 12 && used_Wh < before.meter_W / 3, `${used_Wh} Wh in ten minutes`);
    assert.equal(after.Wh.exported, 0);
  });

  test('a limit on one inverter applies to its part of the panels', () => {
    const house = createHouse({ seed: 1, clock });
    garage(house).limitPv(800);
    assert.equal(garage(house).at(noon).pv_W, -800);
  });
});
