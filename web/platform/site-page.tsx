import type { FunctionComponent } from 'preact';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Failed, Notice } from '../parts/layout.tsx';
import { Loaded } from '../parts/load.tsx';
import { type Params, paramOf } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import type { Live } from './live.ts';
import { useSite } from './site.ts';

const t = texts({
  lost: 'Connection lost. Reconnecting… The values shown are the last ones received.',
});

export type SitePageProps = { site: SiteDetails; params: Params; again(): void };

/** Makes a page of a component that needs the site in the address. */
export const sitePage = (Content: FunctionComponent<SitePageProps>) =>
  function SitePage({ params }: { params: Params }) {
    const site = useSite(paramOf(params, 'site'));
    return (
      <Loaded from={site}>
        {(value) => <Content key={value.id} site={value} params={params} again={site.again} />}
      </Loaded>
    );
  };

/** Says when the event stream is interrupted or has ended. */
export const LiveStatus = ({ live }: { live: Live }) => (
  <>
    {live.connection.value === 'lost' && <Notice tone="warning">{t('lost')}</Notice>}
    <Failed problem={live.problem.value} />
  </>
);
