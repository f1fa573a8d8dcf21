/** Generated from openapi.json by `npm run client:types`: change that, not this. */
export type paths = Record<string, never>;
export interface components {
  schemas: {
    /** @description One property in the normalized, generic model. Unknown values are absent members. Other members may be added. */
    Property: {
      /** @description Never changes during the listing's life; unique in its gateway. */
      affId?: string;
      /** @description The reference that people see; may repeat. */
      affNum?: string;
      /** @description The connector code. */
      passerelleName?: string;
      /** @description Title, plain text. */
      intitule?: string;
      /** @description Description, plain text. */
      commentaires?: string;
      /** @description Language of `intitule` and `commentaires`, ISO 639-1. */
      langue?: string;
      /** @description Title and description in further languages, by ISO 639-1 code. */
      textes?: {
        [key: string]: components['schemas']['LanguageTexts'];
      };
      /** @description Address of the listing's own page. */
      url?: string;
      /**
       * @description Type of the offer.
       * @enum {string}
       */
      typeTransaction?:
        | 'vente'
        | 'location'
        | 'location-saisonniere'
        | 'viager'
        | 'fonds-de-commerce'
        | 'cession-de-bail'
        | 'investissement'
        | 'programme'
        | 'enchere'
        | 'autre';
      /** @description The CRM's own word for the transaction. */
      typeTransactionSource?: string;
      /**
       * @description Kind of property.
       * @enum {string}
       */
      typeCode?:
        | 'appartement'
        | 'maison'
        | 'terrain'
        | 'parking'
        | 'immeuble'
        | 'bureau'
        | 'local'
        | 'boutique'
        | 'chateau'
        | 'hotel-particulier'
        | 'loft'
        | 'fonds'
        | 'autre';
      /** @description The CRM's own word for the property type. */
      typeCodeSource?: string;
      /** @description Sale price; in `prixCurrency`. */
      prix?: string | number;
      /** @description True when the price is given on request only. */
      prixSurDemande?: boolean;
      /** @description ISO 4217. */
      prixCurrency?: string;
      /** @description Rent per month; in `prixCurrency`. */
      loyer?: string | number;
      /**
       * @description The period of the rent at the source when it is not the month.
       * @enum {string}
       */
      loyerPeriode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      /** @description Rent as the source says it, where its period is not the month. */
      loyerSource?: {
        /** @description The amount, in `prixCurrency`. */
        montant?: number;
        /**
         * @description The period that it covers, where the source says it.
         * @enum {string}
         */
        periode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      } & {
        [key: string]: unknown;
      };
      /** @description Under offer: an offer was accepted, nothing is signed. */
      sousOffre?: boolean;
      /**
       * @description Sold, let, under offer or under contract; absent while it is simply on the market.
       * @enum {string}
       */
      statut?: 'vendu' | 'loue' | 'sous-offre' | 'sous-compromis';
      /** @description Living area; in m². */
      surfaceHabitable?: string | number;
      /** @description Rooms. */
      nbrePieces?: string | number;
      /** @description Bedrooms. */
      nbreChambres?: string | number;
      /** @description Town. */
      ville?: string;
      /** @description Postcode; leading zeros are kept. */
      codePostal?: string;
      /** @description ISO 3166-1 alpha-2. */
      pays?: string;
      /** @description Only when the agency lets it be shown. */
      adresse?: string;
      /** @description District. */
      quartier?: string;
      /** @description In WGS 84; two decimals where the exact position may not be shown. */
      latitude?: number;
      /** @description In WGS 84; two decimals where the exact position may not be shown. */
      longitude?: number;
      /** @description In the feed's order; in the normalized model each is an object with `url`, `empreinte` and maybe `legende`, `largeur` and `hauteur`. */
      photos?: (string | components['schemas']['Photo'])[];
      /** @description Name of the agency. */
      agenceNom?: string;
      /** @description Telephone number of the agency. */
      agenceTel?: string;
      /** @description Name of the agent. */
      negoNom?: string;
      /** @description E-mail address of the agent. */
      negoEmail?: string;
      /** @description Telephone number of the agent. */
      negoTel?: string;
      /** @description Land area; in m². */
      surfaceTerrain?: number;
      /** @description Area by the Carrez act; in m². */
      surfaceCarrez?: number;
      /** @description Bathrooms. */
      nbreSallesDeBain?: number;
      /** @description Shower rooms. */
      nbreSallesEau?: number;
      /** @description Floor; 0 is the ground floor. */
      etage?: number;
      /** @description Floors of the building. */
      nbreEtages?: number;
      /** @description Year of construction. */
      anneeConstruction?: number;
      /** @description Furnished. */
      meuble?: boolean;
      /** @description Whether the mandate is exclusive. */
      exclusivite?: boolean;
      /** @description Whether it is new. */
      neuf?: boolean;
      /** @description Whether there is a balcony. */
      balcon?: boolean;
      /** @description Whether there is a terrace. */
      terrasse?: boolean;
      /** @description Whether there is a parking space or a garage. */
      parking?: boolean;
      /** @description Whether there is a lift. */
      ascenseur?: boolean;
      /** @description Whether there is a swimming pool. */
      piscine?: boolean;
      /** @description Monthly charges of a rental; in `prixCurrency`. */
      charges?: number;
      /** @description Deposit of a rental; in `prixCurrency`. */
      depotGarantie?: number;
      /** @description Agency fees; `honorairesUnite` is their unit. */
      honoraires?: number;
      /**
       * @description Unit of `honoraires`: a share of the price or an amount.
       * @enum {string}
       */
      honorairesUnite?: 'pourcentage' | 'montant';
      /**
       * @description Payer of the fees.
       * @enum {string}
       */
      honorairesCharge?: 'acquereur' | 'vendeur' | 'acquereur-et-vendeur' | 'locataire';
      /** @description Share of the inventory in the fees that a tenant pays; in `prixCurrency`. */
      honorairesEtatDesLieux?: number;
      /** @description Address of the list of fees. */
      honorairesBareme?: string;
      /** @description Price without the fees; in `prixCurrency`. */
      prixHorsHonoraires?: number;
      /** @description Down payment of a viager; in `prixCurrency`. */
      bouquet?: number;
      /** @description Monthly annuity of a viager; in `prixCurrency`. */
      rente?: number;
      /** @description How the charges of a rental are paid. */
      chargesModalite?: string;
      /** @description Rent without the supplement, where rents are limited; in `prixCurrency`. */
      loyerBase?: number;
      /** @description Supplement to the rent, where rents are limited; in `prixCurrency`. */
      loyerComplement?: number;
      /** @description Highest reference rent, where rents are limited; in `prixCurrency`. */
      loyerReferenceMajore?: number;
      /** @description Whether rents are limited at the place of the property. */
      loyerEncadrement?: boolean;
      /** @description Number of the mandate. */
      mandatNum?: string;
      /** @description Kind of the mandate, in words of the CRM. */
      mandatType?: string;
      /** @description Yearly property tax (IBI in Spain); in `prixCurrency`. */
      taxeFonciere?: number;
      /** @description Whether it is part of a co-ownership. */
      copropriete?: boolean;
      /** @description Lots of the co-ownership. */
      coproLots?: number;
      /** @description Yearly co-ownership charges; in `prixCurrency`. */
      coproCharges?: number;
      /** @description Whether proceedings are under way against the co-ownership. */
      coproProcedure?: boolean;
      /** @description The energy certificate, figure by figure, each on the scale of its country. */
      energie?: components['schemas']['EnergyFigure'][];
      /** @description Energy class A to G of a French certificate; VI (blank) and NS (not subject to it) also occur. */
      dpeClasse?: string;
      /** @description Consumption of primary energy by a French certificate; in kWh/m²/year. */
      dpeValeur?: number;
      /** @description Greenhouse gas class A to G of a French certificate; VI and NS also occur. */
      gesClasse?: string;
      /** @description Emissions of greenhouse gases by a French certificate; in kg CO₂/m²/year. */
      gesValeur?: number;
      /** @description Day of the energy certificate; ISO 8601 date. */
      dpeDate?: string;
      /** @description Method of the energy certificate. */
      dpeVersion?: string;
      /** @description Lowest estimate of the yearly energy costs; in `prixCurrency`. */
      dpeCoutMin?: number;
      /** @description Highest estimate of the yearly energy costs; in `prixCurrency`. */
      dpeCoutMax?: number;
      /** @description Year of the energy prices behind the two estimates. */
      dpeAnneeReference?: string;
      /** @description Consumption of final energy; in kWh/m²/year. */
      dpeEnergieFinale?: number;
      /** @description Address of a virtual tour. */
      visiteVirtuelle?: string;
      /** @description Address of a video. */
      video?: string;
      /** @description Day from which it is available; ISO 8601 date. */
      disponibilite?: string;
      /** @description When the record was made in the CRM; ISO 8601. */
      dateCreation?: string;
      /** @description When the record was last changed in the CRM; ISO 8601. */
      dateModification?: string;
      /** @description Region, province, canton or state, in words of the source. */
      region?: string;
      /** @description Qualifier of the price ("offers over"), in words of the source. */
      prixMention?: string;
      /** @description Price before the last reduction; in `prixCurrency`. */
      prixAncien?: number;
      /** @description Price per m² as the source has it; in `prixCurrency`. */
      prixMetreCarre?: number;
      /** @description Prices of a project, or the range that an advert gives, from the least to the most; in `prixCurrency`. */
      prixPlage?: {
        /** @description The least. */
        min?: number;
        /** @description The most. */
        max?: number;
      } & {
        [key: string]: unknown;
      };
      /** @description Areas of a project, from the least to the most; in m². */
      surfacePlage?: {
        /** @description The least. */
        min?: number;
        /** @description The most. */
        max?: number;
      } & {
        [key: string]: unknown;
      };
      /** @description Rooms of the units of a project. */
      piecesPlage?: {
        /** @description The least. */
        min?: number;
        /** @description The most. */
        max?: number;
      } & {
        [key: string]: unknown;
      };
      /** @description Usable area; in m². */
      surfaceUtile?: number;
      /** @description Total built area; in m². */
      surfaceTotale?: number;
      /** @description Area of offices; in m². */
      surfaceBureaux?: number;
      /** @description Toilets. */
      nbreWc?: number;
      /** @description Parking spaces, garages among them. */
      nbreParkings?: number;
      /** @description Kind of the parking spaces, in words of the source. */
      parkingType?: string;
      /** @description Kind of heating, in words of the source. */
      chauffageType?: string;
      /** @description Source of the heat, in words of the source. */
      chauffageEnergie?: string;
      /** @description Condition, in words of the source. */
      etat?: string;
      /** @description Orientation, in words of the source. */
      exposition?: string;
      /** @description View, in words of the source. */
      vue?: string;
      /** @description Whether there is a garden. */
      jardin?: boolean;
      /** @description Whether there is a cellar. */
      cave?: boolean;
      /** @description Whether there is air conditioning. */
      climatisation?: boolean;
      /** @description Whether the kitchen is fitted. */
      cuisineEquipee?: boolean;
      /** @description Whether there is a fireplace. */
      cheminee?: boolean;
      /** @description Whether it is accessible to people with reduced mobility. */
      accessible?: boolean;
      /** @description Whether pets are allowed. */
      animaux?: boolean;
      /** @description Whether it is sold with a tenant. */
      loue?: boolean;
      /** @description Yearly yield; in %. */
      rendement?: number;
      /** @description Features, each as the source writes it. */
      caracteristiques?: string[];
      /** @description When it is available, in words of the source. */
      disponibiliteTexte?: string;
      /** @description Floor plans; they are not among the photos. */
      plans?: components['schemas']['Link'][];
      /** @description Documents that the source gives to the public. */
      documents?: components['schemas']['Link'][];
      /** @description Name of its project, or of the project itself. */
      programmeNom?: string;
      /** @description Identifier of that project; its units share it. */
      programmeId?: string;
      /** @description Units of the project. */
      programmeLots?: number;
      /** @description Fees of the community of owners, when their year is not stated. */
      fraisCommunaute?: {
        /** @description The amount, in `prixCurrency`. */
        montant?: number;
        /**
         * @description The period that it covers, where the source says it.
         * @enum {string}
         */
        periode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      } & {
        [key: string]: unknown;
      };
      /** @description Monthly rent without any charges; in `prixCurrency`. */
      loyerHorsCharges?: number;
      /** @description Monthly rent with all charges; in `prixCurrency`. */
      loyerChargesComprises?: number;
      /** @description Monthly costs of heating; in `prixCurrency`. */
      chargesChauffage?: number;
      /** @description Commission as the advert words it. */
      commission?: string;
      /** @description Number of the agency's professional card or licence. */
      agenceCarte?: string;
      /** @description Legal status of the agent. */
      negoStatut?: string;
      /** @description Number of the agent's registration or licence. */
      negoCarte?: string;
      /** @description Registration number of a short let. */
      numeroEnregistrement?: string;
      /** @description Whether buyers and tenants must be informed about natural and other risks (FR). */
      georisques?: boolean;
      /** @description Whether the owner must clear brush (FR, OLD). */
      debroussaillement?: boolean;
      /** @description Zone whose rents are limited. */
      loyerEncadrementZone?: string;
      /**
       * @description Flood score of the plot (BE, P-score).
       * @enum {string}
       */
      inondationP?: 'A' | 'B' | 'C' | 'D';
      /**
       * @description Flood score of the building (BE, G-score).
       * @enum {string}
       */
      inondationG?: 'A' | 'B' | 'C' | 'D';
      /** @description Flood area, in words of the source. */
      inondationZone?: string;
      /** @description Whether a planning permission was issued (BE). */
      permisUrbanisme?: boolean;
      /** @description Destination by the land-use plan, in words of the source (BE). */
      affectationUrbanisme?: string;
      /** @description Whether there are proceedings for a planning offence (BE). */
      citationUrbanisme?: boolean;
      /** @description Whether there is a right of pre-emption (BE). */
      droitPreemption?: boolean;
      /** @description Whether a permit for dividing the land was issued (BE). */
      permisLotir?: boolean;
      /** @description Cadastral income (BE), rendita catastale (IT); in `prixCurrency`. */
      revenuCadastral?: number;
      /** @description Cadastral category (IT). */
      categorieCadastrale?: string;
      /** @description Licence of habitation: its number or state (ES). */
      cedulaHabitabilite?: string;
      /** @description Council tax band (UK). */
      bandeCouncilTax?: string;
      /** @description Tenure, in words of the source: freehold, leasehold. */
      regimePropriete?: string;
      /** @description Remaining years of the lease (UK). */
      bailAnnees?: number;
      /** @description Ground rent. */
      redevanceFonciere?: {
        /** @description The amount, in `prixCurrency`. */
        montant?: number;
        /**
         * @description The period that it covers, where the source says it.
         * @enum {string}
         */
        periode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      } & {
        [key: string]: unknown;
      };
      /** @description Share of the property that the price buys (UK, shared ownership); in %. */
      partAchetee?: number;
      /** @description Rent for the share that is not bought (UK, shared ownership). */
      loyerPart?: {
        /** @description The amount, in `prixCurrency`. */
        montant?: number;
        /**
         * @description The period that it covers, where the source says it.
         * @enum {string}
         */
        periode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      } & {
        [key: string]: unknown;
      };
      /** @description Service charge (UK). */
      chargesService?: {
        /** @description The amount, in `prixCurrency`. */
        montant?: number;
        /**
         * @description The period that it covers, where the source says it.
         * @enum {string}
         */
        periode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      } & {
        [key: string]: unknown;
      };
      /** @description Further material information, by its parts A to C (UK). */
      informations?: components['schemas']['MaterialFact'][];
      /** @description Sentences that the law of the country requires in the advert, ready to show. */
      mentions?: components['schemas']['Mention'][];
    } & {
      [key: string]: unknown;
    };
    /** @description One figure of an energy certificate. */
    EnergyFigure: {
      /** @description ISO 3166-1 alpha-2. */
      pays: string;
      /**
       * @description The scale of `classe`; absent when country and region do not determine it.
       * @enum {string}
       */
      echelle?:
        | 'FR-DPE'
        | 'BE-VLG'
        | 'BE-WAL'
        | 'BE-BRU'
        | 'DE-GEG'
        | 'AT-EAVG'
        | 'ES-CEE'
        | 'IT-APE'
        | 'NL-EPL'
        | 'PT-SCE'
        | 'CH-GEAK'
        | 'UK-EPC'
        | 'LU-CPE'
        | 'IE-BER';
      /**
       * @description The measured quantity.
       * @enum {string}
       */
      grandeur:
        | 'energie-primaire'
        | 'energie-finale'
        | 'besoin-chauffage'
        | 'facteur-efficacite'
        | 'emissions'
        | 'enveloppe'
        | 'note'
        | 'note-potentielle';
      /** @description The class, as the certificate has it on that scale. */
      classe?: string;
      /** @description The value, in `unite`. */
      valeur?: number;
      /** @description Unit of `valeur`. */
      unite?: string;
      /**
       * @description Calculated for the building, or measured.
       * @enum {string}
       */
      base?: 'besoin' | 'consommation';
      /** @description Carriers of the energy, in words of the source. */
      vecteurs?: string[];
      /** @description Number of the certificate. */
      numero?: string;
      /** @description Day of the certificate; ISO 8601 date. */
      date?: string;
      /** @description Last day of its validity; ISO 8601 date. */
      valableJusque?: string;
      /** @description Lowest estimate of the yearly costs, in `prixCurrency`. */
      coutMin?: number;
      /** @description Highest estimate of the yearly costs, in `prixCurrency`. */
      coutMax?: number;
      /** @description Year or day of the energy prices behind the costs. */
      prixAnnee?: string;
      /** @description Method or version of the certificate, in words of the source. */
      methode?: string;
      /** @description Year of the building, as the certificate has it. */
      annee?: number;
      /** @description Whether hot water is counted. */
      eauChaude?: boolean;
      /** @description Whether electricity is counted. */
      electricite?: boolean;
      /**
       * @description Why there is no class.
       * @enum {string}
       */
      statut?: 'en-cours' | 'non-soumis' | 'vierge';
    } & {
      [key: string]: unknown;
    };
    /** @description A sentence that the law requires in the advert. */
    Mention: {
      /** @description Which sentence it is. */
      code: string;
      /** @description ISO 3166-1 alpha-2 of the country whose law requires it. */
      pays: string;
      /** @description Language of `texte`, ISO 639-1. */
      langue: string;
      /** @description The sentence, plain text. */
      texte: string;
      /** @description The text of law. */
      source: string;
    } & {
      [key: string]: unknown;
    };
    /** @description A document that the source gives to the public. */
    Link: {
      /** @description Address of the document. */
      url: string;
      /** @description Its title at the source. */
      titre?: string;
      /** @description Changes when the document changes, and only then. */
      empreinte?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description A part of the material information of a British advert. */
    MaterialFact: {
      /**
       * @description Part of the material information.
       * @enum {string}
       */
      partie: 'A' | 'B' | 'C';
      /** @description Its subject. */
      sujet: string;
      /** @description The fact, in words of the source. */
      texte: string;
    } & {
      [key: string]: unknown;
    };
    /** @description One property in the historic model: the record as the CRM delivered it, turned into JSON without interpretation and without private data, with `affId`, `affNum` and `passerelleName` added. */
    RawProperty: {
      /** @description Never changes during the listing's life; unique in its gateway. */
      affId?: string;
      /** @description The reference that people see; may repeat. */
      affNum?: string;
      /** @description The connector code. */
      passerelleName?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description One photo of the normalized model. */
    Photo: {
      /** @description Address of the photo. */
      url?: string;
      /** @description Caption. */
      legende?: string;
      /** @description Width in pixels, where it is known. */
      largeur?: number;
      /** @description Height in pixels, where it is known. */
      hauteur?: number;
      /** @description Changes when the photo changes, and only then. */
      empreinte?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description The texts of the source in one language. */
    LanguageTexts: {
      /** @description Title, plain text. */
      intitule?: string;
      /** @description Description, plain text. */
      commentaires?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description One property. */
    ManifestLine: {
      /** @description Identifier; never changes. */
      affId: string;
      /** @description Fingerprint of the normalized property: it changes when the property does, and only then. */
      empreinte: string;
      /** @description Fingerprint of its photos only, in their order; absent without photos. */
      photos?: string;
    };
    /** @description Facts about the snapshot. */
    ManifestMeta: {
      /** @description Token of the snapshot. */
      snapshot: string;
      /** @description How many lines there are. */
      total: number;
      /**
       * Format: date-time
       * @description When the snapshot was published.
       */
      published_at: string;
      /**
       * Format: date-time
       * @description When the source last confirmed it.
       */
      confirmed_at: string | null;
      /** @description SHA-256 over the lines `affId TAB empreinte TAB photos LF`, in order. */
      hash: string;
    };
    /** @description One property that differs between the two snapshots. */
    Change: {
      /** @description Identifier. */
      affId: string;
      /** @description Reference that people see. */
      affNum?: string;
      /**
       * @description The kind of change.
       * @enum {string}
       */
      change: 'removed' | 'added' | 'changed';
      /**
       * Format: date-time
       * @description When the later of its two states was published.
       */
      at: string;
      /**
       * @description Reason of a removal: the feed no longer has it, says that it is withdrawn, or has a record that cannot be read.
       * @enum {string}
       */
      reason?: 'absent' | 'withdrawn' | 'rejected';
      /** @description Whether an operator approved the change although the publish gate held it: a client with its own guard should accept it. */
      approved: boolean;
      /** @description The former identifier, if the same property was removed under it within 30 days: a site can redirect the old address. */
      replaces?: string;
      /** @description As in the manifest: store it after the change is applied; absent when the property was removed. */
      empreinte?: string;
      /** @description Fingerprint of its photos only; absent without photos, and when it was removed. */
      photos?: string;
      /** @description The property as it is now; absent when it was removed. */
      property?: components['schemas']['Property'] | components['schemas']['RawProperty'];
    };
    /** @description The position of the page in the result, and how many changes there are of each kind. */
    ChangesMeta: {
      /** @description Number of this page. */
      page: number;
      /** @description Changes on a page. */
      per_page: number;
      /** @description All changes. */
      total: number;
      /** @description 0 when there is no change. */
      total_pages: number;
      /** @description Connector code. */
      crm: string;
      /** @description Client slug. */
      client: string;
      /** @description Token of the older snapshot. */
      since: string;
      /** @description Token of the newer snapshot: `since` of the next request. */
      snapshot: string;
      /** @description Properties that were removed. */
      removed: number;
      /** @description Properties that were added. */
      added: number;
      /** @description Properties that were changed. */
      changed: number;
    };
    /** @description State of a feed. */
    Feed: {
      /**
       * @description fresh: confirmed recently. stale: not confirmed for a while. held: the newest list waits for an operator. failing: the source cannot be read. never: nothing was imported yet.
       * @enum {string}
       */
      state: 'fresh' | 'stale' | 'held' | 'failing' | 'never';
      /**
       * Format: date-time
       * @description Since when it has this state.
       */
      since: string | null;
      /** @description Why it is not fresh. */
      reason: {
        /** @description For machines. */
        code: string;
        /** @description One sentence for people. */
        message: string;
      } | null;
      /** @description Token of the snapshot that is served. */
      snapshot: string | null;
      /** @description How many properties it has. */
      total: number | null;
      /**
       * Format: date-time
       * @description When the source last confirmed it.
       */
      confirmed_at: string | null;
      /**
       * Format: date-time
       * @description When it was published.
       */
      published_at: string | null;
      /**
       * Format: date-time
       * @description When the source is read next; null while it is paused without an end.
       */
      next_run_at: string | null;
      /** @description The source is not read at present; the list is still served, and becomes stale as usual. */
      paused: {
        /**
         * Format: date-time
         * @description Since when.
         */
        since: string;
        /**
         * Format: date-time
         * @description Until when; null: until an operator resumes it.
         */
        until: string | null;
        /** @description Why, in the words of the operator. */
        reason: string | null;
      } | null;
      /** @description The last import. */
      last_run: {
        /**
         * @description How it ended.
         * @enum {string}
         */
        state?: 'queued' | 'running' | 'published' | 'unchanged' | 'held' | 'failed' | 'cancelled' | 'discarded';
        /**
         * Format: date-time
         * @description When it began.
         */
        started_at?: string | null;
        /**
         * Format: date-time
         * @description When it ended.
         */
        ended_at?: string | null;
        /** @description How many: records. */
        records?: number;
        /** @description How many: added. */
        added?: number;
        /** @description How many: changed. */
        changed?: number;
        /** @description How many: unchanged. */
        unchanged?: number;
        /** @description How many: removed. */
        removed?: number;
        /** @description How many: rejected. */
        rejected?: number;
      } | null;
      /** @description How many of its properties lack data that the law of their country requires, by the code of the duty (docs/legal.md). Codes without such properties are absent. */
      duties_missing: {
        [key: string]: number;
      } | null;
      /** @description Webhooks of the gateway that no longer get messages: add them again. */
      disabled_webhooks: components['schemas']['DisabledWebhook'][];
      /** @description The last report of the site; null when there is none. */
      consumer: {
        /**
         * @description How its import ended.
         * @enum {string}
         */
        status?: 'success' | 'error';
        /** @description Imported items. */
        count?: number | null;
        /** @description Free text. */
        message?: string | null;
        /** @description Address of the site. */
        site_url?: string | null;
        /** @description Token of the snapshot that it has applied. */
        snapshot?: string | null;
        /** @description Items added. */
        added?: number | null;
        /** @description Items changed. */
        updated?: number | null;
        /** @description Items removed. */
        removed?: number | null;
        /** @description Items that could not be imported. */
        failed?:
          | {
              /** @description The property. */
              affId: string;
              /** @description Why. */
              reason?: string;
            }[]
          | null;
        /** @description Name and version of the plugin. */
        plugin?: string | null;
        /**
         * Format: date-time
         * @description When the report came.
         */
        received_at?: string;
      } | null;
    };
    /** @description Where a property is, or at which step it was lost. */
    History: {
      /** @description The identifier of the request. */
      id: string;
      /** @description Its identifier; null when it is not known. */
      affId: string | null;
      /**
       * @description Its state.
       * @enum {string}
       */
      state: 'listed' | 'removed' | 'rejected' | 'withdrawn' | 'held' | 'unknown';
      /** @description One sentence. */
      explanation: string;
      /**
       * Format: date-time
       * @description Since when it has this state.
       */
      since: string | null;
      /** @description Its position in the feed's order, among the listed properties. */
      position?: number;
      /** @description How many properties are listed. */
      total?: number;
      /**
       * Format: date-time
       * @description Present when its record is unreadable: since when its last published version is served instead.
       */
      kept_since?: string;
      /** @description Why its last record was refused. */
      rejection?: {
        /**
         * @description For machines.
         * @enum {string}
         */
        code: 'malformed' | 'missing_id' | 'missing_field' | 'invalid_value' | 'too_large' | 'too_slow' | 'withdrawn';
        /** @description The field of the record. */
        field?: string;
        /** @description For people. */
        message: string;
        /**
         * Format: date-time
         * @description When.
         */
        at: string;
      };
      /** @description The identifier under which the property came back, if it did. */
      replaced_by?: string;
      /** @description Its last changes, newest first. */
      changes: {
        /**
         * @description The kind of change.
         * @enum {string}
         */
        change: 'removed' | 'added' | 'changed';
        /**
         * Format: date-time
         * @description When it was published.
         */
        at: string;
        /**
         * @description Reason of a removal: the feed no longer has it, says that it is withdrawn, or has a record that cannot be read.
         * @enum {string|null}
         */
        reason: 'absent' | 'withdrawn' | 'rejected' | null;
        /** @description Whether an operator approved the change although the publish gate held it: a client with its own guard should accept it. */
        approved: boolean;
        /** @description The former identifier, if the same property was removed under it within 30 days: a site can redirect the old address. */
        replaces?: string;
      }[];
    };
    /** @description An enquiry of a visitor. Members that are not listed are ignored. */
    LeadRequest: {
      /** @description Connector code of the gateway. */
      crm: string;
      /** @description Client slug of the gateway. */
      client: string;
      /**
       * Format: uuid
       * @description A UUID that the site makes for this lead: sent again under it, it is no second one. Send it again until it is taken.
       */
      id?: string;
      /** @description The property; absent for an enquiry about none. */
      affId?: string;
      /** @description Name of the sender. */
      name: string;
      /** @description Where to answer. This, or `phone`, must be there. */
      email?: string;
      /** @description Where to call. */
      phone?: string;
      /** @description Plain text. */
      message?: string;
      /** @description The page that they wrote from. */
      page_url?: string;
      /** @description ISO 639-1: the language that they read. */
      langue?: string;
      /**
       * @description That they agreed to be answered: nothing is taken without.
       * @constant
       */
      consent: true;
    };
    /** @description The accepted lead. */
    ReceivedLead: {
      /**
       * Format: uuid
       * @description The `id` of the request, else a new one.
       */
      id: string;
      /**
       * Format: date-time
       * @description When it was accepted; for a lead that was sent again, when it was first accepted.
       */
      received_at: string;
    };
    /** @description The address that is to get messages. Members that are not listed are ignored. */
    WebhookRequest: {
      /** @description Connector code of the gateway. */
      crm: string;
      /** @description Client slug of the gateway. */
      client: string;
      /** @description Where messages are sent: an https address. It is asked with every message whether it is public. */
      url: string;
      /** @description The events that this webhook receives; by default those of the list and its feed. */
      events?: (
        | 'list.published'
        | 'feed.stale'
        | 'feed.held'
        | 'feed.failing'
        | 'feed.recovered'
        | 'publication.online'
        | 'publication.refused'
      )[];
    };
    /** @description The webhook with its secret, which is shown only once. */
    NewWebhook: {
      /** @description Its id, to remove it. */
      id: number;
      /** @description Where messages are sent. */
      url: string;
      /** @description The events that it gets. */
      events: (
        | 'list.published'
        | 'feed.stale'
        | 'feed.held'
        | 'feed.failing'
        | 'feed.recovered'
        | 'publication.online'
        | 'publication.refused'
      )[];
      /** @description The secret that signs messages: `whsec_` and Base64. */
      secret: string;
    };
    /** @description A webhook. */
    Webhook: {
      /** @description Its id, to remove it. */
      id: number;
      /** @description Where messages are sent. */
      url: string;
      /** @description The events that it gets. */
      events: (
        | 'list.published'
        | 'feed.stale'
        | 'feed.held'
        | 'feed.failing'
        | 'feed.recovered'
        | 'publication.online'
        | 'publication.refused'
      )[];
      /**
       * Format: date-time
       * @description When it was added.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description Since when it gets no messages.
       */
      disabled_at: string | null;
      /** @description gone: it answered 410. failing: it failed for three days. */
      disabled_reason: string | null;
      /**
       * Format: date-time
       * @description Since when it has been failing.
       */
      failing_since: string | null;
    };
    /** @description The removed webhook. */
    RemovedWebhook: {
      /** @description Its id. */
      id: number;
      /**
       * @description It is removed.
       * @constant
       */
      removed: true;
    };
    /** @description A webhook that gets no messages. */
    DisabledWebhook: {
      /** @description Its id. */
      id: number;
      /** @description Where messages were sent. */
      url: string;
      /**
       * Format: date-time
       * @description Since when.
       */
      disabled_at: string;
      /**
       * @description gone: it answered 410. failing: it failed for three days.
       * @enum {string}
       */
      reason: 'gone' | 'failing';
    };
    /** @description One listing at one placement (a gateway at a portal). */
    Publication: {
      /** @description The listing. */
      affId: string;
      /** @description Its reference. */
      affNum: string | null;
      /** @description The placement. */
      placement: number;
      /** @description The portal or format. */
      target: string;
      /**
       * @description waiting: not sent. sent, accepted: on its way. online: shown. delivered: the last state at portals that answer nothing. refused: the portal does not take it. removing, removed: taken offline.
       * @enum {string}
       */
      state: 'waiting' | 'sent' | 'accepted' | 'online' | 'delivered' | 'refused' | 'removing' | 'removed';
      /**
       * Format: date-time
       * @description Since when it has this state.
       */
      since: string;
      /** @description Why it is not shown: rule, limit, embargo, not-ready, withdrawn, absent, contract, placement, refused, gone. */
      reason_code: string | null;
      /** @description The same in words; for `refused` the words of the portal. */
      reason: string | null;
      /** @description The page of the advert at the portal. */
      url: string | null;
      /**
       * Format: date-time
       * @description When it was last sent.
       */
      sent_at: string | null;
    };
    /** @description A property with `affId` and the requested fields. */
    PropertyFields: {
      [key: string]: unknown;
    };
    /** @description A value, and how often it occurs in the whole result. */
    FacetCount: {
      /** @description As the properties have it. */
      value: string | number | boolean;
      /** @description How many of them have it. */
      count: number;
    };
    /** @description A property in short, for a map. */
    Pin: {
      /** @description Never changes during the listing's life; unique in its gateway. */
      affId: string;
      /** @description In WGS 84; two decimals where the exact position may not be shown. */
      latitude: number;
      /** @description In WGS 84; two decimals where the exact position may not be shown. */
      longitude: number;
      /** @description Sale price; in `prixCurrency`. */
      prix?: string | number;
      /** @description ISO 4217. */
      prixCurrency?: string;
      /** @description Rent per month; in `prixCurrency`. */
      loyer?: string | number;
      /** @description Rent as the source says it, where its period is not the month. */
      loyerSource?: {
        /** @description The amount, in `prixCurrency`. */
        montant?: number;
        /**
         * @description The period that it covers, where the source says it.
         * @enum {string}
         */
        periode?: 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';
      } & {
        [key: string]: unknown;
      };
      /**
       * @description Type of the offer.
       * @enum {string}
       */
      typeTransaction?:
        | 'vente'
        | 'location'
        | 'location-saisonniere'
        | 'viager'
        | 'fonds-de-commerce'
        | 'cession-de-bail'
        | 'investissement'
        | 'programme'
        | 'enchere'
        | 'autre';
      /**
       * @description Kind of property.
       * @enum {string}
       */
      typeCode?:
        | 'appartement'
        | 'maison'
        | 'terrain'
        | 'parking'
        | 'immeuble'
        | 'bureau'
        | 'local'
        | 'boutique'
        | 'chateau'
        | 'hotel-particulier'
        | 'loft'
        | 'fonds'
        | 'autre';
    };
    /** @description Correlation identifier; the same as in the header X-Request-Id. */
    RequestId: string;
    /** @description The reader of one CRM’s feed. */
    Connector: {
      /** @description Connector code. */
      id: string;
      /** @description Display name. */
      label: string;
      /**
       * @description The kind of feed.
       * @enum {string}
       */
      type: 'api' | 'zip' | 'xml' | 'custom' | 'unknown';
      /** @description Free text. */
      notes: string;
    };
    /** @description Status of a gateway. */
    StatusData: {
      /** @description Connector code. */
      crm: string;
      /** @description Client slug. */
      client: string;
      /** @description False when the gateway is disabled. */
      active: boolean;
      /** @description Last day of the contract, YYYY-MM-DD, until midnight in Europe/Paris. */
      contract_end: string | null;
      /** @description Address of the consumer's site, from the newest report that named one. */
      cms_url: string | null;
      /** @description Status of the last reported import. */
      last_update_status: string | null;
      /** @description Count of the last reported import. */
      last_update_count: number | null;
      /** @description Message of the last reported import. */
      last_update_message: string | null;
      /** @description Time of the last reported import, ISO 8601 in UTC. */
      last_update_timestamp: string | null;
      connector: components['schemas']['Connector'];
    };
    /** @description The position of the page in the result. */
    PageMeta: {
      /** @description Number of this page. */
      page: number;
      /** @description Properties on a page. */
      per_page: number;
      /** @description All properties. */
      total: number;
      /** @description 0 when there is no property. */
      total_pages: number;
      /** @description Connector code. */
      crm: string;
      /** @description Client slug. */
      client: string;
    };
    /** @description The result of an import. Members that are not listed are ignored. */
    ReportRequest: {
      /** @description Connector code of the gateway. */
      crm: string;
      /** @description Client slug of the gateway. */
      client: string;
      /**
       * @description How the import ended.
       * @enum {string}
       */
      status: 'success' | 'error';
      /** @description API key, for those who cannot send it in a header; a header counts first. */
      key?: string;
      /** @description API key as well; `key` counts first. */
      api_key?: string;
      /** @description Number of imported items. */
      count?: number;
      /** @description Free text; what is longer than 4000 characters is cut. */
      message?: string;
      /**
       * Format: uri
       * @description http(s) address of the reporting site.
       */
      site_url?: string;
      /**
       * Format: uri
       * @description As `site_url`, which counts first.
       */
      cms_url?: string;
      /** @description Token of the snapshot that the site has applied. */
      snapshot?: string;
      /** @description Items that the site did not have before. */
      added?: number;
      /** @description Items that the site has changed. */
      updated?: number;
      /** @description Items that the site has removed. */
      removed?: number;
      /** @description Items that could not be imported; the first 200 are kept. */
      failed?: {
        /** @description The property. */
        affId: string;
        /** @description Why it could not be imported. */
        reason?: string;
      }[];
      /** @description Name and version of the plugin. */
      plugin?: string;
    };
    /** @description The report as it was saved. */
    ReportConfirmation: {
      /** @constant */
      saved: true;
      /** @description Connector code. */
      crm: string;
      /** @description Client slug. */
      client: string;
      /**
       * @description As reported.
       * @enum {string}
       */
      status: 'success' | 'error';
      /** @description As reported. */
      count: number | null;
      /** @description As reported. */
      message: string | null;
      /** @description The site that the report came from: site_url, else cms_url, else from the User-Agent. */
      cms_url: string | null;
      /** @description ISO 8601 in UTC. */
      received_at: string;
    };
    /** @description The service and its calls. */
    Discovery: {
      /** @description Name of the service. */
      name: string;
      /** @description Version of this interface. */
      version: string;
      /** @description The calls that consumers make. */
      endpoints: {
        /** @description HTTP method. */
        method: string;
        /** @description Path from the base address. */
        path: string;
        /** @description Whether it needs an API key. */
        auth: boolean;
        /** @description Its purpose. */
        purpose: string;
      }[];
      /** @description Where the documentation is. */
      documentation: {
        /** @description Address of the machine-readable description. */
        openapi: string;
        /** @description Address of the page for people. */
        docs: string;
      };
    };
    /** @description The body of every error. */
    Error: {
      /**
       * @description The request failed.
       * @constant
       */
      status: 'error';
      /**
       * @description For machines: what is wrong.
       * @enum {string}
       */
      code:
        | 'BAD_REQUEST'
        | 'AUTH_FAILED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'RATE_LIMITED'
        | 'INTERNAL_ERROR'
        | 'UNAVAILABLE';
      /** @description For people. */
      message: string;
      /**
       * Format: date-time
       * @description ISO 8601.
       */
      timestamp: string;
      request_id: components['schemas']['RequestId'];
      /** @description For machines; for a refused parameter its name and what is allowed. */
      detail?: {
        [key: string]: unknown;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type operations = Record<string, never>;
