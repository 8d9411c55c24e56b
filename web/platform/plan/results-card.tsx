import { getPlanHistory, type PlanHistory } from '#contract/cloud/plans.ts';
import { Card, Figure, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { day, money, power, texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  title: 'Savings of plans',
  says: 'Compared with batteries that only cover the house, by the same bill calculation.',
  month: 'This month',
  days: 'Measured on {count} days',
  energy: 'Saved energy cost',
  power: 'Power charge of the month',
  powerMore: 'With the peaks so far',
  planned: 'Planned: {amount}',
  withoutPlans: 'Without plans: {amount}',
  none: 'The first result is known on the day after the first plan.',
  showDays: 'Day by day',
  day: 'Day',
  promised: 'Planned cost',
  realised: 'Actual cost',
  saved: 'Saved',
  load: 'Error of the expected use',
  sun: 'Error of the expected sun',
  price: 'Error of the assumed price per kWh',
});

const notKnown = '–';

/** Shows what plans have saved, and how well they matched what happened. */
export function ResultsCard({ siteId, turn }: { siteId: string; turn: number }) {
  const history = useLoad(
    (signal) => api().call(getPlanHistory, { params: { site_id: siteId }, query: {}, signal }),
    [siteId],
    turn,
  );
  return (
    <Card title={t('title')} says={t('says')}>
      <Loaded from={history}>{(found) => <Results found={found} />}</Loaded>
    </Card>
  );
}

function Results({ found: { month, days, currency } }: { found: PlanHistory }) {
  if (days.length === 0 || currency === null) return <p>{t('none')}</p>;
  const amount = (value: number | null): string => (value === null ? notKnown : money(value, currency));
  return (
    <>
      <div class="figures">
        <Figure label={t('month')} value={amount(month.saved)} more={t('days', { count: month.days })} />
        {month.power && <PowerFigures power={month.power} energy={month.saved_energy} amount={amount} />}
      </div>
      <details class="details">
        <summary>{t('showDays')}</summary>
        <Table
          caption={t('title')}
          rows={days}
          keyOf={({ date }) => date}
          columns={[
            { title: t('day'), show: ({ date }) => day(Date.parse(date), 'UTC') },
            { title: t('promised'), isNumber: true, show: ({ promised }) => amount(promised) },
            { title: t('realised'), isNumber: true, show: ({ realised }) => amount(realised) },
            { title: t('saved'), isNumber: true, show: ({ saved }) => amount(saved) },
            { title: t('load'), isNumber: true, show: ({ load_error_w }) => power(load_error_w ?? undefined) },
            { title: t('sun'), isNumber: true, show: ({ solar_error_w }) => power(solar_error_w ?? undefined) },
            { title: t('price'), isNumber: true, show: ({ price_error }) => amount(price_error) },
          ]}
        />
      </details>
    </>
  );
}

type PowerProps = {
  power: NonNullable<PlanHistory['month']['power']>;
  energy: number | null;
  amount(value: number | null): string;
};

/** The two parts of what was saved: of energy, and of the power charge, which belongs to the month. */
function PowerFigures({ power: { promised, realised, self_consumption: without }, energy, amount }: PowerProps) {
  const others = [
    ...(promised === null ? [] : [t('planned', { amount: amount(promised) })]),
    ...(without === null ? [] : [t('withoutPlans', { amount: amount(without) })]),
  ];
  return (
    <>
      <Figure label={t('energy')} value={amount(energy)} />
      <Figure
        label={t('power')}
        value={amount(realised)}
        more={others.length > 0 ? others.join('. ') : t('powerMore')}
      />
    </>
  );
}
