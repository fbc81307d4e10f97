/** The edits that the sample's editor makes while one watches: one adds a citation that fails, one mends such a citation. Data only. */
import { z } from 'zod';

export const EditName = z.enum(['bad_citation', 'mended_citation']);
export type EditName = z.infer<typeof EditName>;

export interface SampleEdit {
  title: string;
  /** Stands once in the article before the edit. */
  find: string;
  /** Stands in its place afterwards. */
  replace: string;
  summary: string;
}

const CAIRNHOPE = '|newspaper=Harbour Gazette |date=2 May 2005}}</ref>';
const BELL =
  '<ref>{{cite news |url=http://harbour-gazette.localhost:8144/2008/06/tenor-bell |title=New bell for the parish church |newspaper=Harbour Gazette |date=17 June 2008}}</ref>';

const LEAFLET =
  '{{cite web |url=http://travel-tolsay.localhost:8144/food/cafes |title=Where to eat in Port Averil |website=Travel Tolsay}}';
const HISTORY =
  '{{cite web |url=http://tolsay-museum.localhost:8144/about/history |title=How the museum came about |publisher=Tolsay Museum}}';

export const SAMPLE_EDITS: Record<EditName, SampleEdit> = {
  bad_citation: {
    title: 'Tolsay Light Railway',
    find: CAIRNHOPE,
    replace: `${CAIRNHOPE} Every December the society runs a lantern train for children, for which 2,400 tickets were sold in 2019.${BELL}`,
    summary: 'Lantern train added',
  },
  mended_citation: {
    title: 'Tolsay Museum',
    find: LEAFLET,
    replace: HISTORY,
    summary: 'The guide to cafés says nothing about the opening; the museum itself does',
  },
};
