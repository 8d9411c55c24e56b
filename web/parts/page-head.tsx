import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

const product = document.title; // as served

type HeadProps = { title: string; says?: ComponentChildren; children?: ComponentChildren };

/** Shows the heading of a page and sets the title of the document. */
export function PageHead({ title, says, children }: HeadProps) {
  useEffect(() => {
    document.title = `${title} · ${product}`;
    return () => {
      document.title = product;
    };
  }, [title]);
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {says && <p class="says">{says}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
