import type { TypeCode } from '@passerelle/domain';

/** The parts of a title, each as far as it is known. */
export interface TitleParts {
  /** The French word, such as "Villa". */
  type?: string | undefined;
  pieces?: number | undefined;
  chambres?: number | undefined;
  ville?: string | undefined;
}

/** The languages in which titles are built, besides French. */
export const TITLE_LANGUAGES = ['en', 'de', 'es', 'it', 'nl', 'pt', 'ca'] as const;
export type TitleLanguage = (typeof TITLE_LANGUAGES)[number];

/**
 * The kinds of property that a built title names. The key is the French word; the value has the words of
 * `TITLE_LANGUAGES`, in that order. A lookup table of a connector can only use these words.
 */
export const TITLE_WORDS = {
  Appartement: 'Apartment|Wohnung|Piso|Appartamento|Appartement|Apartamento|Pis',
  'Appartement de vacances':
    'Holiday apartment|Ferienwohnung|Apartamento vacacional|Casa vacanze|Vakantieappartement|Apartamento de férias|Apartament de vacances',
  'Appartement en terrasses':
    'Terraced apartment|Terrassenwohnung|Piso escalonado|Appartamento a terrazze|Terrasappartement|Apartamento em socalcos|Pis esglaonat',
  'Appartement meublé':
    'Furnished apartment|Möblierte Wohnung|Piso amueblado|Appartamento arredato|Gemeubileerd appartement|Apartamento mobilado|Pis moblat',
  'Appartement sous les toits':
    'Attic apartment|Dachwohnung|Piso abuhardillado|Mansarda|Dakappartement|Apartamento em sótão|Pis amb mansarda',
  Attique: 'Attic apartment|Attikawohnung|Ático|Attico|Dakappartement|Cobertura|Àtic',
  Chambre: 'Room|Zimmer|Habitación|Stanza|Kamer|Quarto|Habitació',
  'Chambre en colocation':
    'Room in a shared flat|WG-Zimmer|Habitación en piso compartido|Stanza in appartamento condiviso|Kamer in een gedeeld huis|Quarto em casa partilhada|Habitació en pis compartit',
  Duplex: 'Duplex apartment|Maisonette|Dúplex|Appartamento su due livelli|Duplex|Duplex|Dúplex',
  Kot: 'Student room|Studentenzimmer|Habitación de estudiante|Stanza per studenti|Studentenkamer|Quarto para estudante|Habitació d’estudiant',
  Loft: 'Loft|Loft|Loft|Loft|Loft|Loft|Loft',
  Penthouse: 'Penthouse|Penthouse|Ático|Attico|Penthouse|Penthouse|Àtic',
  'Rez-de-chaussée':
    'Ground-floor apartment|Erdgeschosswohnung|Planta baja|Appartamento al piano terra|Benedenwoning|Apartamento no rés do chão|Planta baixa',
  'Rez-de-jardin':
    'Garden apartment|Gartenwohnung|Bajo con jardín|Appartamento con giardino|Tuinappartement|Apartamento com jardim|Planta baixa amb jardí',
  'Résidence étudiante':
    'Student residence|Studentenwohnheim|Residencia de estudiantes|Residenza per studenti|Studentenhuis|Residência de estudantes|Residència d’estudiants',
  Studio: 'Studio|Studio|Estudio|Monolocale|Studio|Estúdio|Estudi',
  Triplex: 'Triplex apartment|Triplex-Wohnung|Tríplex|Appartamento su tre livelli|Triplex|Triplex|Tríplex',
  'Étage de maison':
    'Floor of a house|Etage eines Hauses|Planta de casa|Piano di casa|Woonverdieping|Andar de moradia|Planta de casa',

  Maison: 'House|Haus|Casa|Casa|Huis|Moradia|Casa',
  'Maison bifamiliale':
    'Semi-detached house|Zweifamilienhaus|Casa bifamiliar|Casa bifamiliare|Tweegezinswoning|Moradia bifamiliar|Casa bifamiliar',
  'Maison de campagne': 'Country house|Landhaus|Casa de campo|Casa di campagna|Landhuis|Casa de campo|Casa de camp',
  'Maison de canal':
    'Canal house|Grachtenhaus|Casa junto al canal|Casa sul canale|Grachtenpand|Casa junto ao canal|Casa al canal',
  'Maison de maître': 'Mansion|Herrenhaus|Casa señorial|Casa padronale|Herenhuis|Casa senhorial|Casa senyorial',
  'Maison de vacances':
    'Holiday home|Ferienhaus|Casa de vacaciones|Casa vacanze|Vakantiehuis|Casa de férias|Casa de vacances',
  'Maison de village': 'Village house|Dorfhaus|Casa de pueblo|Casa di paese|Dorpswoning|Casa de aldeia|Casa de poble',
  'Maison de ville': 'Town house|Stadthaus|Casa adosada|Casa di città|Stadswoning|Casa de cidade|Casa de ciutat',
  'Maison d’hôtes':
    'Guest house|Gästehaus|Casa de huéspedes|Casa per gli ospiti|Gastenverblijf|Casa de hóspedes|Casa d’hostes',
  'Maison en rangée':
    'Terraced house|Reihenhaus|Casa adosada|Casa a schiera|Rijtjeshuis|Moradia em banda|Casa adossada',
  'Maison individuelle':
    'Detached house|Einfamilienhaus|Casa independiente|Casa indipendente|Vrijstaande woning|Moradia isolada|Casa independent',
  'Maison jumelée':
    'Semi-detached house|Doppelhaushälfte|Casa pareada|Casa bifamiliare|Halfvrijstaande woning|Moradia geminada|Casa aparellada',
  'Maison mitoyenne': 'Terraced house|Reihenhaus|Casa adosada|Casa a schiera|Rijwoning|Moradia em banda|Casa adossada',
  'Maison préfabriquée':
    'Prefabricated house|Fertighaus|Casa prefabricada|Casa prefabbricata|Prefab woning|Casa pré-fabricada|Casa prefabricada',
  'Maison troglodyte': 'Cave house|Höhlenhaus|Casa cueva|Casa rupestre|Grotwoning|Casa troglodita|Casa cova',
  'Maison à construire':
    'House to be built|Projektiertes Haus|Casa por construir|Casa da costruire|Te bouwen woning|Moradia a construir|Casa per construir',
  Bungalow: 'Bungalow|Bungalow|Bungalow|Bungalow|Bungalow|Bungalow|Bungalow',
  Chalet: 'Chalet|Chalet|Chalet|Chalet|Chalet|Chalé|Xalet',
  Cortijo: 'Country estate|Cortijo|Cortijo|Cortijo|Cortijo|Cortijo|Cortijo',
  Cottage: 'Cottage|Cottage|Casa de campo|Cottage|Cottage|Casa de campo|Casa de camp',
  Domaine: 'Estate|Anwesen|Finca|Tenuta|Landgoed|Herdade|Finca',
  'Domaine agricole':
    'Farm estate|Landwirtschaftliches Gut|Finca agrícola|Tenuta agricola|Agrarisch landgoed|Herdade agrícola|Finca agrícola',
  'Exploitation agricole':
    'Farm|Landwirtschaftlicher Betrieb|Explotación agrícola|Azienda agricola|Boerderij|Exploração agrícola|Explotació agrícola',
  Ferme: 'Farmhouse|Bauernhaus|Casa rústica|Casale|Boerderij|Quinta|Masia',
  Fermette: 'Small farmhouse|Kleines Bauernhaus|Casa rústica|Piccolo casale|Boerderijtje|Quintinha|Masia petita',
  Finca: 'Country house|Finca|Finca|Casa di campagna|Finca|Quinta|Finca',
  Grange: 'Barn|Scheune|Granero|Fienile|Schuur|Celeiro|Graner',
  'Hôtel particulier': 'Town mansion|Stadtpalais|Palacete|Palazzo signorile|Stadspaleis|Palacete|Palauet',
  Manoir: 'Manor house|Herrenhaus|Casa solariega|Villa padronale|Landhuis|Solar|Casa pairal',
  'Mobil-home': 'Mobile home|Mobilheim|Casa móvil|Casa mobile|Stacaravan|Casa móvel|Casa mòbil',
  'Mobile home': 'Mobile home|Mobilheim|Casa móvil|Casa mobile|Stacaravan|Casa móvel|Casa mòbil',
  Bateau: 'Boat|Boot|Barco|Barca|Boot|Barco|Vaixell',
  Bastide: 'Country house|Landhaus|Casa de campo|Casale|Landhuis|Casa de campo|Masia',
  Mas: 'Country house|Landhaus|Masía|Casale|Landhuis|Quinta|Masia',
  Moulin: 'Mill|Mühle|Molino|Mulino|Molen|Moinho|Molí',
  Péniche: 'Houseboat|Hausboot|Casa flotante|Casa galleggiante|Woonboot|Casa flutuante|Casa flotant',
  Propriété: 'Property|Anwesen|Propiedad|Proprietà|Landgoed|Propriedade|Propietat',
  'Propriété agricole':
    'Farm|Landwirtschaftliches Anwesen|Finca agrícola|Proprietà agricola|Agrarisch bedrijf|Propriedade agrícola|Finca agrícola',
  'Propriété équestre':
    'Equestrian property|Reitanlage|Finca ecuestre|Proprietà equestre|Paardenbedrijf|Propriedade equestre|Finca eqüestre',
  Ranch: 'Ranch|Ranch|Rancho|Ranch|Ranch|Rancho|Ranxo',
  Riad: 'Riad|Riad|Riad|Riad|Riad|Riad|Riad',
  Ruine: 'Ruin|Ruine|Ruina|Rudere|Ruïne|Ruína|Ruïna',
  Rustico: 'Rustico|Rustico|Casa rústica|Rustico|Rustico|Casa rústica|Casa rústica',
  'Résidence mobile': 'Mobile home|Mobilheim|Casa móvil|Casa mobile|Stacaravan|Casa móvel|Casa mòbil',
  Villa: 'Villa|Villa|Villa|Villa|Villa|Moradia|Vil·la',
  Château: 'Castle|Schloss|Castillo|Castello|Kasteel|Castelo|Castell',

  Terrain: 'Plot of land|Grundstück|Terreno|Terreno|Grond|Terreno|Terreny',
  'Terrain agricole':
    'Farmland|Landwirtschaftsfläche|Terreno agrícola|Terreno agricolo|Landbouwgrond|Terreno agrícola|Terreny agrícola',
  'Terrain constructible':
    'Building plot|Baugrundstück|Terreno edificable|Terreno edificabile|Bouwgrond|Terreno para construção|Terreny edificable',
  'Terrain de chasse':
    'Hunting ground|Jagdrevier|Coto de caza|Riserva di caccia|Jachtgrond|Terreno de caça|Vedat de caça',
  'Terrain à bâtir': 'Building plot|Baugrundstück|Solar|Terreno edificabile|Bouwgrond|Terreno para construção|Solar',
  'Terrain de sport':
    'Sports ground|Sportplatz|Campo de deporte|Campo sportivo|Sportterrein|Campo desportivo|Camp d’esports',
  Camping: 'Campsite|Campingplatz|Camping|Campeggio|Camping|Parque de campismo|Càmping',
  Forêt: 'Woodland|Wald|Bosque|Bosco|Bos|Floresta|Bosc',
  Jardin: 'Garden|Garten|Jardín|Giardino|Tuin|Jardim|Jardí',
  Vignoble: 'Vineyard|Weingut|Viñedo|Vigneto|Wijngaard|Vinha|Vinya',
  Étang: 'Pond|Teich|Estanque|Stagno|Vijver|Lagoa|Estany',

  Parking:
    'Parking space|Stellplatz|Plaza de aparcamiento|Posto auto|Parkeerplaats|Lugar de estacionamento|Plaça d’aparcament',
  'Place pour moto':
    'Motorcycle space|Motorradstellplatz|Plaza de moto|Posto moto|Motorplaats|Lugar para mota|Plaça de moto',
  'Box pour chevaux':
    'Horse box|Pferdebox|Box para caballos|Box per cavalli|Paardenstal|Boxe para cavalos|Boxa per a cavalls',
  'Place de parc':
    'Parking space|Parkplatz|Plaza de aparcamiento|Posto auto|Parkeerplaats|Lugar de estacionamento|Plaça d’aparcament',
  'Place de parking':
    'Parking space|Stellplatz|Plaza de aparcamiento|Posto auto|Parkeerplaats|Lugar de estacionamento|Plaça d’aparcament',
  Garage: 'Garage|Garage|Garaje|Garage|Garage|Garagem|Garatge',
  'Garage double': 'Double garage|Doppelgarage|Garaje doble|Garage doppio|Dubbele garage|Garagem dupla|Garatge doble',
  Amarrage: 'Mooring|Liegeplatz|Amarre|Posto barca|Ligplaats|Lugar de amarração|Amarratge',
  'Place d’amarrage': 'Mooring|Liegeplatz|Amarre|Posto barca|Ligplaats|Lugar de amarração|Amarratge',
  Débarras: 'Storage room|Abstellraum|Trastero|Ripostiglio|Berging|Arrecadação|Traster',
  Galetas: 'Attic storage|Estrichabteil|Buhardilla|Solaio|Zolderruimte|Sótão|Golfes',
  Cave: 'Cellar|Kellerraum|Bodega|Cantina|Kelder|Cave|Celler',

  Immeuble: 'Building|Gebäude|Edificio|Stabile|Gebouw|Prédio|Edifici',
  'Immeuble commercial':
    'Commercial building|Geschäftshaus|Edificio comercial|Stabile commerciale|Bedrijfsgebouw|Prédio comercial|Edifici comercial',
  'Immeuble de deux logements':
    'Two-family house|Zweifamilienhaus|Edificio de dos viviendas|Stabile di due alloggi|Gebouw met twee woningen|Prédio com dois fogos|Edifici de dos habitatges',
  'Immeuble de quatre logements':
    'Four-family house|Vierfamilienhaus|Edificio de cuatro viviendas|Stabile di quattro alloggi|Gebouw met vier woningen|Prédio com quatro fogos|Edifici de quatre habitatges',
  'Immeuble de rapport':
    'Investment property|Renditeobjekt|Edificio de renta|Stabile a reddito|Opbrengsteigendom|Prédio de rendimento|Edifici de renda',
  'Immeuble de trois logements':
    'Three-family house|Dreifamilienhaus|Edificio de tres viviendas|Stabile di tre alloggi|Gebouw met drie woningen|Prédio com três fogos|Edifici de tres habitatges',
  'Immeuble mixte':
    'Mixed-use building|Wohn- und Geschäftshaus|Edificio mixto|Stabile a uso misto|Gemengd gebouw|Prédio misto|Edifici mixt',
  'Immeuble rénové':
    'Renovated building|Saniertes Gebäude|Edificio reformado|Stabile ristrutturato|Gerenoveerd gebouw|Prédio remodelado|Edifici reformat',
  'Immeuble à appartements':
    'Apartment building|Mehrfamilienhaus|Edificio de pisos|Palazzina|Appartementsgebouw|Prédio de apartamentos|Edifici de pisos',
  Copropriété: 'Condominium|Eigentumswohnung|Condominio|Condominio|Appartementsrecht|Condomínio|Condomini',
  Multipropriété:
    'Timeshare|Ferienwohnrecht|Multipropiedad|Multiproprietà|Timeshare|Direito de habitação periódica|Multipropietat',
  'Bien en indivision':
    'Shared ownership property|Miteigentum|Propiedad en proindiviso|Comproprietà|Gedeelde eigendom|Compropriedade|Propietat en proindivís',
  Location:
    'Rental property|Mietobjekt|Inmueble en alquiler|Immobile in affitto|Huurwoning|Imóvel para arrendar|Immoble de lloguer',

  Bureau: 'Office|Büro|Oficina|Ufficio|Kantoor|Escritório|Oficina',
  Cabinet: 'Practice|Praxis|Consulta|Studio professionale|Praktijk|Consultório|Consulta',
  'Cabinet médical':
    'Medical practice|Arztpraxis|Consulta médica|Studio medico|Dokterspraktijk|Consultório médico|Consulta mèdica',
  Atelier: 'Workshop|Werkstatt|Taller|Laboratorio|Atelier|Oficina|Taller',
  Local: 'Premises|Räumlichkeiten|Local|Locale|Ruimte|Espaço|Local',
  'Local annexe': 'Annexe|Nebenraum|Local anexo|Locale accessorio|Bijgebouw|Anexo|Local annex',
  'Local commercial':
    'Commercial premises|Gewerbefläche|Local comercial|Locale commerciale|Bedrijfsruimte|Espaço comercial|Local comercial',
  'Local de loisirs':
    'Leisure premises|Freizeitimmobilie|Local de ocio|Locale per il tempo libero|Recreatieruimte|Espaço de lazer|Local d’oci',
  'Local d’activité': 'Business premises|Gewerbefläche|Nave|Capannone|Bedrijfsruimte|Espaço empresarial|Nau',
  'Local industriel':
    'Industrial premises|Industriefläche|Nave industrial|Capannone industriale|Bedrijfshal|Espaço industrial|Nau industrial',
  'Bâtiment industriel':
    'Industrial building|Industriegebäude|Edificio industrial|Edificio industriale|Industrieel gebouw|Edifício industrial|Edifici industrial',
  Dépôt: 'Storage space|Lager|Almacén|Deposito|Opslagruimte|Armazém|Magatzem',
  Entrepôt: 'Warehouse|Lagerhalle|Almacén|Magazzino|Magazijn|Armazém|Magatzem',
  'Garage automobile':
    'Car workshop|Autowerkstatt|Taller mecánico|Officina|Garagebedrijf|Oficina automóvel|Taller mecànic',
  'Station-service':
    'Petrol station|Tankstelle|Gasolinera|Stazione di servizio|Tankstation|Posto de combustível|Benzinera',
  'Salon de coiffure': 'Hair salon|Coiffeursalon|Peluquería|Salone da parrucchiere|Kapsalon|Cabeleireiro|Perruqueria',
  'Installation sportive':
    'Sports facility|Sportanlage|Instalación deportiva|Impianto sportivo|Sportaccommodatie|Instalação desportiva|Instal·lació esportiva',
  'Lieu de culte': 'Place of worship|Sakralbau|Lugar de culto|Luogo di culto|Gebedshuis|Local de culto|Lloc de culte',
  Établissement: 'Establishment|Betrieb|Establecimiento|Esercizio|Zaak|Estabelecimento|Establiment',
  'Établissement de restauration':
    'Restaurant|Gastronomiebetrieb|Establecimiento de hostelería|Esercizio di ristorazione|Horecazaak|Estabelecimento de restauração|Establiment d’hostaleria',
  'Établissement de loisirs':
    'Leisure facility|Freizeiteinrichtung|Establecimiento de ocio|Struttura per il tempo libero|Recreatiebedrijf|Estabelecimento de lazer|Establiment d’oci',
  'Établissement de soins':
    'Care facility|Pflegeeinrichtung|Centro asistencial|Struttura sanitaria|Zorginstelling|Unidade de cuidados|Centre assistencial',
  Bar: 'Bar|Bar|Bar|Bar|Café|Bar|Bar',
  Restaurant: 'Restaurant|Restaurant|Restaurante|Ristorante|Restaurant|Restaurante|Restaurant',
  Hôtel: 'Hotel|Hotel|Hotel|Hotel|Hotel|Hotel|Hotel',
  'Hôtel ou restaurant':
    'Hotel or restaurant|Hotel oder Restaurant|Hotel o restaurante|Hotel o ristorante|Hotel of restaurant|Hotel ou restaurante|Hotel o restaurant',
  Boutique: 'Shop|Ladenlokal|Tienda|Negozio|Winkel|Loja|Botiga',
  Boucherie: 'Butcher’s shop|Metzgerei|Carnicería|Macelleria|Slagerij|Talho|Carnisseria',
  Boulangerie: 'Bakery|Bäckerei|Panadería|Panetteria|Bakkerij|Padaria|Fleca',
  Commerce: 'Shop|Ladenlokal|Comercio|Negozio|Handelspand|Loja|Comerç',
  Kiosque: 'Kiosk|Kiosk|Quiosco|Chiosco|Kiosk|Quiosque|Quiosc',
  'Surface de vente':
    'Retail space|Verkaufsfläche|Superficie comercial|Superficie di vendita|Verkoopruimte|Área de venda|Superfície comercial',
  'Surface publicitaire':
    'Advertising space|Werbefläche|Espacio publicitario|Spazio pubblicitario|Reclameruimte|Espaço publicitário|Espai publicitari',
  'Droit au bail':
    'Lease for sale|Ablöse eines Mietvertrags|Traspaso|Cessione del contratto di affitto|Huuroverdracht|Trespasse|Traspàs',
  'Fonds de commerce':
    'Business for sale|Gewerbebetrieb|Traspaso de negocio|Attività commerciale|Handelszaak|Trespasse de negócio|Traspàs de negoci',

  'Programme de maisons':
    'New houses|Neubau-Häuser|Promoción de casas|Nuove case|Nieuwbouwwoningen|Empreendimento de moradias|Promoció de cases',
  'Programme neuf':
    'New development|Neubauprojekt|Promoción de obra nueva|Nuova costruzione|Nieuwbouwproject|Novo empreendimento|Promoció d’obra nova',
  'Nouvelle construction': 'New build|Neubau|Obra nueva|Nuova costruzione|Nieuwbouw|Construção nova|Obra nova',
  'Parc de mobil-homes':
    'Mobile home park|Mobilheimpark|Parque de casas móviles|Parco di case mobili|Stacaravanpark|Parque de casas móveis|Parc de cases mòbils',
  'Résidence pour seniors':
    'Retirement home|Seniorenresidenz|Residencia para mayores|Residenza per anziani|Seniorenwoning|Residência sénior|Residència per a gent gran',
  'Bien résidentiel':
    'Residential property|Wohnimmobilie|Inmueble residencial|Immobile residenziale|Woning|Imóvel residencial|Immoble residencial',
  Bien: 'Property|Immobilie|Inmueble|Immobile|Vastgoed|Imóvel|Immoble',
} as const satisfies Readonly<Record<string, string>>;

/** A French word that is known in all languages of titles. */
export type TitleWord = keyof typeof TITLE_WORDS;

/** The word for a type whose own word is in no table. */
const WORD_OF_TYPE: Readonly<Record<TypeCode, TitleWord>> = {
  appartement: 'Appartement',
  maison: 'Maison',
  terrain: 'Terrain',
  parking: 'Parking',
  immeuble: 'Immeuble',
  bureau: 'Bureau',
  local: 'Local commercial',
  boutique: 'Boutique',
  chateau: 'Château',
  'hotel-particulier': 'Hôtel particulier',
  loft: 'Loft',
  fonds: 'Fonds de commerce',
  autre: 'Bien',
};

const IN_LANGUAGES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(TITLE_WORDS).map(([word, others]) => [word, others.split('|')]),
);

/** @param word what a table has, or a source wrote; the second is in an unknown language, so the type replaces it */
export function titleWordIn(language: TitleLanguage, word: string, typeCode: TypeCode = 'autre'): string {
  const words = IN_LANGUAGES.get(word) ?? IN_LANGUAGES.get(WORD_OF_TYPE[typeCode])!;
  return words[TITLE_LANGUAGES.indexOf(language)]!;
}

/** Titles of a property about which nothing is known. */
export const TITLES_OF_NOTHING: ReadonlySet<string> = new Set(['Bien', ...TITLE_WORDS.Bien.split('|')]);
