/**
 * A list in the form of `sdn_advanced.xml`, with parties that have addresses and some that have
 * none.
 */
export function sdnXml(
  addresses: readonly {
    readonly asset: string;
    readonly address: string;
    readonly party?: string;
  }[],
): string {
  const assets = [...new Set(addresses.map(({ asset }) => asset))];
  const typeOf = (asset: string) => 344 + assets.indexOf(asset);
  return `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://www.un.org/sanctions/1.0">
  <DateOfIssue CalendarTypeID="1">
    <Year>2026</Year>
    <Month>1</Month>
    <Day>9</Day>
  </DateOfIssue>
  <ReferenceValueSets>
    <FeatureTypeValues>
      <FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
      <FeatureType ID="9" FeatureTypeGroupID="1">Email Address &amp; more</FeatureType>
${assets.map((asset) => `      <FeatureType ID="${typeOf(asset)}" FeatureTypeGroupID="1">Digital Currency Address - ${asset}</FeatureType>`).join('\n')}
    </FeatureTypeValues>
  </ReferenceValueSets>
  <DistinctParties>
    <!-- A party with no address: <Feature FeatureTypeID="344"> in a comment is none. -->
    <DistinctParty FixedRef="36" DeltaAction="">
      <Profile ID="36" PartySubTypeID="3">
        <Identity ID="4036" FixedRef="36" Primary="true" False="false">
          <Alias FixedRef="36" AliasTypeID="1403" Primary="true" LowQuality="false">
            <DocumentedName ID="4036"><DocumentedNamePart><NamePartValue ScriptID="215">O&#39;Neil &lt;x&gt; 0x9999999999999999999999999999999999999999</NamePartValue></DocumentedNamePart></DocumentedName>
          </Alias>
        </Identity>
        <Feature ID="1" FeatureTypeID="9">
          <FeatureVersion ID="1" ReliabilityID="1"><Comment /><VersionDetail DetailTypeID="1432">0x8888888888888888888888888888888888888888</VersionDetail></FeatureVersion>
        </Feature>
      </Profile>
    </DistinctParty>
${addresses
  .map(
    ({ asset, address, party = '25308' }) => `    <DistinctParty FixedRef="${party}" DeltaAction="">
      <Profile ID="${party}" PartySubTypeID="4">
        <Feature ID='43' FeatureTypeID='${typeOf(asset)}'>
          <FeatureVersion ID="43" ReliabilityID="1"><Comment/><DatePeriod><Start><Year>1999</Year></Start></DatePeriod><VersionDetail DetailTypeID="1432"> ${address} </VersionDetail></FeatureVersion>
          <IdentityReference IdentityID="1" IdentityFeatureLinkTypeID="1"/>
        </Feature>
        <VersionDetail DetailTypeID="1432">0x7777777777777777777777777777777777777777</VersionDetail>
      </Profile>
    </DistinctParty>`,
  )
  .join('\n')}
  </DistinctParties>
</Sanctions>
`;
}
